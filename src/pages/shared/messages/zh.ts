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
    source: '源代码',
    health: '服务状态',
    corrections: '更正（Atom 订阅）',
    plainReference: '无脚本参考',
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
    empty: '该时段内没有此货币对的汇率。',
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
