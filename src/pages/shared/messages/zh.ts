import type { Messages } from './en.js';

export const zh: Messages = {
  direction: 'ltr',
  frame: {
    skip: '跳到正文',
    pages: '页面',
    rates: '汇率',
    status: '状态',
    reference: '参考',
    disclaimer: '参考汇率，仅供参考：没有银行按此汇率交易。',
    terms: '汇率归其发布者所有，各页面附有其条款链接。',
  },
  problem: {
    notYet: '尚未就绪',
    failed: '操作未成功',
    toRates: '查看汇率',
  },
  home: {
    title: 'Almanac：官方来源的汇率',
    summary: (currencies, sources) => `${currencies} 种货币的汇率，综合自 ${sources} 个官方来源。`,
    heading: '来自发布银行的汇率',
    lead: (currencies, sources, newest) =>
      `${currencies} 种货币每天一个汇率，综合自 ${sources} 个官方来源。最新：${newest}。`,
  },
  converter: {
    amount: '金额',
    from: '从',
    to: '到',
  },
  chart: {
    empty: '该货币对在此期间没有汇率。',
    title: (base, quote) => `${base} 兑 ${quote}`,
    price: (base, quote) => `1 ${base} 兑 ${quote}`,
    picture: (base, quote, span) => `1 ${base} 兑 ${quote}：${span}`,
    length: '时间范围',
    short: { '5d': '5天', '1m': '1个月', '6m': '6个月', '1y': '1年', '5y': '5年', all: '全部' },
    long: {
      '5d': '最近五个有汇率的日子',
      '1m': '最近一个月',
      '6m': '最近六个月',
      '1y': '最近一年',
      '5y': '最近五年',
      all: '全部历史',
    },
    sinceDay: (change, day) => `自${day}以来 ${change}`,
    sinceMonth: (change, month) => `自${month}以来 ${change}`,
    lowest: '最低',
    highest: '最高',
    weekOf: (date) => `${date}当周`,
    between: (low, high) => `${low} 至 ${high}`,
    sources: (count) => `来源：${count}`,
    leftOut: (count) => `剔除：${count}`,
    blend: '综合汇率',
    percentiles: '八成来源（第10至第90百分位）',
    weekRange: '当周最低与最高',
    monthRange: '当月最低与最高',
    slider: (base, quote) => `${base} 兑 ${quote}：用方向键逐日移动`,
    unread: '图表暂时无法载入，显示的是之前的内容。',
    again: '重试',
    table: '以表格显示最新数据',
    date: '日期',
    compare: '比较各来源',
    compareHint:
      '各来源有一半的汇率与综合汇率的偏差在此幅度以内，最接近的在前。指向某个来源可查看其走势线，选中则保留。',
    reading: '正在载入来源。',
    sourcesUnread: '来源暂时无法载入。',
    noSources: '该汇率没有来源：由固定汇率推算而得。',
    days: (count) => `天数：${count}`,
    weeks: (count) => `周数：${count}`,
    months: (count) => `月数：${count}`,
  },
  newest: {
    heading: '最新汇率',
  },
  requests: {
    copy: '复制',
    copied: '已复制',
    selected: '已选中',
  },
  status: {
    heading: '来源状态',
  },
  currency: {
    heading: '发布机构',
  },
  provider: {
    country: '国家/地区',
  },
  notFound: {
    meant: '您是不是要找',
  },
};
