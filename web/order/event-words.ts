import { msg } from '#web/lib/t.ts';

const WORDS: Readonly<Record<string, string>> = {
  made: msg('下单'),
  paid: msg('支付成功，开通课程'),
  closed: msg('订单关闭'),
  ended: msg('学校收回课程'),
  givenUp: msg('支付方式已停用，付款作废'),
  silent: msg('支付平台一直没有回应，付款作废；如已付款，平台恢复后自动处理'),
  refunded: msg('退款完成'),
  refund: msg('申请退回款项'),
  refundFailed: msg('退款失败'),
  returned: msg('款项自动退回'),
  refundAsked: msg('学员申请退款'),
  refundDeclined: msg('学校没有同意退款'),
  invoiceAsked: msg('学员申请发票'),
  'invoice-issued': msg('开具发票'),
  'invoice-declined': msg('没有开具发票'),
  'invoice-reversed': msg('发票红冲'),
};

/** What an event of an order is called; those of one refund, payment or request carry its id behind a colon. */
export function eventWords(event: string): string {
  if (event === 'refunded') return msg('订单全部退款，课程收回');
  return WORDS[event.split(':')[0] ?? ''] ?? event;
}
