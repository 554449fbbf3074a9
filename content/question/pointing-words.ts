/** Words of a question that point at what a file may lack: a picture, case material, the row above. */

/** Words that point at a picture. */
const NAMES_PICTURE =
  /(?:如|见|下|上|左|右|附|据|由|观察|根据|结合)(?:[下上左右附示此该]?)图|图(?:中|示|所示|[\dＡ-Ｚ①-⑩甲乙丙丁])/;

/** The words of a text that point at a picture (如图); undefined: none do. */
export const namedPicture = (text: string): string | undefined => NAMES_PICTURE.exec(text)?.[0];

/** Words that point at case material. */
const NAMES_MATERIAL =
  /(?:根据|依据|结合|阅读|分析)(?:(?:上述|以上|上面|所给|给出的|背景)(?:材料|资料|案例)(?![的性力强学])|(?:材料|资料|案例)(?=\s?(?:[，,。；;]|回答|完成|判断|可知|可以看出|内容|中|指出|说明|概括|谈谈)))|(?:上述|以上)(?:材料|资料|案例)(?![的性力强学])|(?:材料|资料)[一二三四](?=\s?(?:[，,。；;、和与及中的]|可知|可以看出|说明|指出|反映))/;
/** A topic that has its material in itself. */
const OWN_MATERIAL = /(?:材料|资料|案例)[一二三四]?\s?[：:]/;
/** A longer topic has its material in itself (characters). */
const SHORT_TOPIC = 100;

/** The words of a topic that point at case material outside of it (根据上述材料); undefined: none do. @param topic as it is written */
export const namedMaterial = (topic: string): string | undefined =>
  [...topic].length < SHORT_TOPIC && !OWN_MATERIAL.test(topic) ? NAMES_MATERIAL.exec(topic)?.[0] : undefined;

/** What says that a cell has what the one above has: in a question by itself it says nothing. */
const DITTO = /^(?:同上|同前|同上[一]?[题行]|[〃″”"]|-?ditto)$/i;

/** Whether a text says no more than that the one above holds here too (同上). */
export const isDitto = (text: string): boolean => DITTO.test(text);
