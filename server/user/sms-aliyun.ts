import { maskPhone } from '#rules/user/phone.ts';
import { type AliyunAccount, AliyunAway, callAliyun, wordOf } from './aliyun.ts';
import { SmsNotSent, type SmsSender } from './sms.ts';

/** An Aliyun account with its approved texts. The template has one variable: `${code}`. */
interface AliyunSettings extends AliyunAccount {
  signName: string;
  templateCode: string;
}

/** Milliseconds until a call is given up. */
const TIMEOUT = 5000;

/**
 * Sends codes through Aliyun's short message service (Dysmsapi 2017-05-25, SendSms). Its errors become `SmsNotSent`,
 * whose message has Aliyun's code and request id for the log, and never a key or the code that was to be sent.
 */
export function aliyunSms(settings: AliyunSettings, timeout = TIMEOUT): SmsSender {
  return {
    async send(phone, code) {
      const query = {
        PhoneNumbers: phone,
        SignName: settings.signName,
        TemplateCode: settings.templateCode,
        TemplateParam: JSON.stringify({ code }),
      };
      const called = callAliyun(settings, { action: 'SendSms', version: '2017-05-25', query }, timeout);
      const { status, body } = await called.catch((error: unknown) => {
        throw error instanceof AliyunAway ? new SmsNotSent('failed', error.message) : error;
      });
      const { Code: answer, RequestId: id } = body;
      if (status === 200 && answer === 'OK') return;
      // The number's own limit at Aliyun (1 a minute, 5 an hour, 10 a day), e.g. used up by another site with our sign.
      const reason = answer === 'isv.BUSINESS_LIMIT_CONTROL' ? 'tooSoon' : 'failed';
      throw new SmsNotSent(
        reason,
        `Aliyun did not send to ${maskPhone(phone)}: HTTP ${status}, ${wordOf(answer)}, request ${wordOf(id)}`,
      );
    },
  };
}
