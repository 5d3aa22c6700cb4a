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
    title: (base, quote) => `${base} إلى ${quote}`,
    price: (base, quote) => `${quote} لكل 1 ${base}`,
    picture: (base, quote, span) => `${quote} لكل 1 ${base}: ${span}`,
    length: 'الفترة الزمنية',
    short: { '5d': '5 أيام', '1m': 'شهر', '6m': '6 أشهر', '1y': 'سنة', '5y': '5 سنوات', all: 'الكل' },
    long: {
      '5d': 'آخر خمسة أيام لها أسعار',
      '1m': 'الشهر الأخير',
      '6m': 'الأشهر الستة الأخيرة',
      '1y': 'السنة الأخيرة',
      '5y': 'السنوات الخمس الأخيرة',
      all: 'كامل السجل التاريخي',
    },
    sinceDay: (change, day) => `${change} منذ ${day}`,
    sinceMonth: (change, month) => `${change} منذ ${month}`,
    lowest: 'الأدنى',
    highest: 'الأعلى',
    weekOf: (date) => `أسبوع ${date}`,
    between: (low, high) => `من ${low} إلى ${high}`,
    sources: (count) => `المصادر: ${count}`,
    leftOut: (count) => `المستبعدة: ${count}`,
    blend: 'السعر المجمّع',
    percentiles: 'ثمانية من كل عشرة مصادر (من المئين 10 إلى المئين 90)',
    weekRange: 'أدنى وأعلى سعر في الأسبوع',
    monthRange: 'أدنى وأعلى سعر في الشهر',
    slider: (base, quote) => `${base} إلى ${quote}: تنقّل بين التواريخ بمفاتيح الأسهم`,
    unread: 'تعذّر تحميل الرسم البياني الآن. المعروض هو ما حُمّل سابقًا.',
    again: 'إعادة المحاولة',
    table: 'أحدث الأرقام في جدول',
    date: 'التاريخ',
    compare: 'مقارنة المصادر',
    compareHint:
      'مدى قرب نصف أسعار كل مصدر من السعر المجمّع، والأقرب أولًا. أشر إلى مصدر لعرض خطه، واختره لإبقاء الخط.',
    reading: 'جارٍ تحميل المصادر.',
    sourcesUnread: 'تعذّر تحميل المصادر الآن.',
    noSources: 'ليس لهذا السعر مصادر: فهو ناتج عن ربط ثابت.',
    days: (count) => `الأيام: ${count}`,
    weeks: (count) => `الأسابيع: ${count}`,
    months: (count) => `الأشهر: ${count}`,
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
