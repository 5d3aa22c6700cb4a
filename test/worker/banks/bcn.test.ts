import { feed } from '../../../worker/banks/bcn.js';
import { casesOf, soapAnswer } from './cases.js';

const month = (...days: [string, string][]) =>
  soapAnswer(
    `<RecuperaTC_MesResponse xmlns="http://servicios.bcn.gob.ni/"><RecuperaTC_MesResult><Detalle_TC xmlns="">${days
      .map(([date, value]) => `<Tc><Fecha>${date}</Fecha><Valor>${value}</Valor></Tc>`)
      .join('')}</Detalle_TC></RecuperaTC_MesResult></RecuperaTC_MesResponse>`,
  );
const PLACE = 'POST servicios.bcn.gob.ni/Tc_Servicio/ServicioTC.asmx';
const { reads, nothing } = casesOf(feed, '2026-03-01..2026-03-02', PLACE);
reads('córdobas for one dollar, month by month, weekends kept', {
  given: [
    month(['2026-02-27', '36.6243'], ['2026-02-28', '36.6243']),
    month(['2026-03-01', '36.6250'], ['2026-03-02', '36.6250'], ['', '1'], ['2026-03-01', '']),
  ],
  rates: ['2026-02-28 USD/NIO 36.6243', '2026-03-01 USD/NIO 36.625'],
  asks: [
    [/<Ano>2026<\/Ano><Mes>2</, 'soapaction: "http://servicios.bcn.gob.ni/RecuperaTC_Mes"'],
    /<Ano>2026<\/Ano><Mes>3</,
  ],
});
nothing('a month without data holds no day', month());
