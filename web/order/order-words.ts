import type {
  InvoiceState,
  OrderState,
  PayChannel,
  RefundAskState,
  RefundState,
  ReturnReason,
} from '#contract/values/order.ts';
import { msg } from '#web/lib/t.ts';

/** Words of states, shown as `t(…)`. */
export const stateWords: Readonly<Record<OrderState, string>> = {
  open: msg('待支付'),
  paid: msg('已支付'),
  closed: msg('已关闭'),
  refunded: msg('已退款'),
};

export const channelWords: Readonly<Record<PayChannel, string>> = {
  wechat: msg('微信支付'),
  alipay: msg('支付宝'),
  sandbox: msg('模拟支付'),
};

export const refundWords: Readonly<Record<RefundState, string>> = {
  waiting: msg('退款处理中'),
  done: msg('已原路退回'),
  failed: msg('退款失败'),
};

export const askWords: Readonly<Record<RefundAskState, string>> = {
  waiting: msg('等待学校处理'),
  agreed: msg('学校已同意'),
  declined: msg('学校没有同意'),
  withdrawn: msg('已撤回'),
};

export const invoiceWords: Readonly<Record<InvoiceState, string>> = {
  waiting: msg('等待学校开具'),
  issued: msg('已开具'),
  declined: msg('没有开具'),
  withdrawn: msg('已撤回'),
  reversed: msg('已红冲'),
};

/** Why money went back by itself, each a whole sentence. */
export const returnSentences: Readonly<Record<ReturnReason, string>> = {
  paidTwice: msg('这个订单付了两次，多付的一次会原路退回。'),
  wrongAmount: msg('收到的金额与订单不符，款项会原路退回。'),
  soldOut: msg('付款到账时订单已过期，名额也已满，款项会原路退回。'),
  notOnOffer: msg('付款到账时订单已过期，课程包已下架，款项会原路退回。'),
  couponGone: msg('付款到账时订单已过期，所用的优惠券已用于其他订单，款项会原路退回。'),
  accountGone: msg('付款到账时账号已注销，款项会原路退回。'),
  hasCourse: msg('您已通过另一个订单开通了这个课程包，这一笔款项会原路退回。'),
};
