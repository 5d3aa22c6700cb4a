import type { Messages } from './en.js';

export const ar: Messages = {
  direction: 'rtl',
  frame: {
    skip: 'انتقل إلى المحتوى',
    pages: 'الصفحات',
    rates: 'الأسعار',
    status: 'الحالة',
    reference: 'المرجع',
    disclaimer: 'أسعار مرجعية للعلم فقط: لا يتعامل بها أي بنك.',
    terms: 'الأسعار ملك لناشريها، وتحيل صفحاتهم إلى شروطهم.',
    source: 'الشفرة المصدرية',
    health: 'حالة الخدمة',
    corrections: 'التصحيحات (خلاصة Atom)',
    plainReference: 'المرجع بدون برمجة نصية',
  },
  problem: {
    notYet: 'ليس بعد',
    failed: 'لم ينجح ذلك',
    toRates: 'إلى الأسعار',
  },
  home: {
    title: 'Almanac: أسعار صرف من مصادر رسمية',
    summary: (currencies, sources) => `أسعار صرف ${currencies} عملة، مجمّعة من ${sources} مصدرًا رسميًا.`,
    heading: 'أسعار الصرف من البنوك التي تنشرها',
    lead: (currencies, sources, newest) =>
      `سعر واحد في اليوم لـ ${currencies} عملة، مجمّع من ${sources} مصدرًا رسميًا. الأحدث: ${newest}.`,
  },
  converter: {
    amount: 'المبلغ',
    from: 'من',
    to: 'إلى',
  },
  chart: {
    empty: 'لا توجد أسعار لهذا الزوج في هذه الفترة.',
  },
  newest: {
    heading: 'أحدث الأسعار',
  },
  requests: {
    copy: 'نسخ',
    copied: 'تم النسخ',
    selected: 'تم التحديد',
  },
  status: {
    heading: 'حالة المصادر',
  },
  currency: {
    heading: 'من ينشرها',
  },
  provider: {
    country: 'البلد',
  },
  notFound: {
    meant: 'هل تقصد',
  },
};
