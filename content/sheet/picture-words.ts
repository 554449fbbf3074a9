import { visibleText } from '#content/visible-text.ts';

/** Longest alternative text of a picture (characters): a screen reader says it in one go. */
export const LONGEST_ALT = 500;
/** As much of what a file says is looked at. */
export const LONGEST_WRITTEN = 2000;

/** What people say of a picture for who does not see it; `cut`: they said more. */
export interface PictureWords {
  /** One line, as it is written and not as HTML; '': nothing. */
  alt: string;
  cut: boolean;
}

export const NO_WORDS: PictureWords = { alt: '', cut: false };

/** What Office says behind a description that it made itself, in Chinese, and in English as of its English editions. */
const MADE_BY_OFFICE =
  /[\s,，.。]{0,3}(?:(?:[极高中低等度]{1,4}可信度)?的?(?:描述|说明)已自动生成|已生成[极高中低等度]{1,4}可信度的说明|自動產生的描述|AI ?(?:生成的内容可能不正确|產生的內容可能不正確)|description (?:automatically )?generated(?: with (?:very )?(?:high|medium|low) confidence)?|AI-generated content may be incorrect)[.。]?$/i;

/** How the name of a picture's file ends. */
const ENDING = /\.(?:png|jpe?g|jfif|gif|bmp|webp|svg|tiff?|emf|wmf|heic|heif|avif)$/i;
/** A name, or the way to it: words of Chinese with blanks between them say something of the picture. */
const FILE_NAME =
  /^(?:[^，。；！？,;!?\s]{1,300}|[\x20-\x2b\x2d-\x3a\x3c-\x7e]{1,300}|(?:[a-z]:|\\|\/|\.\.?[\\/])[^，。；！？,;!?]{1,300})$/i;
/** What programs and cameras call a picture, with its number. */
const GIVEN_NAME =
  /^(?:picture|image|img|graphic|photo|pic|dsc[nf]?|screenshot|clip_image|upload_image|mmexport|wechat image|(?:qq|微信|wps)?(?:图片|圖片|截图|照片)|图像|图形|截屏|屏幕截图)[\d\s_.()（）-]*$/i;
/** A number that a program gave it. */
const GIVEN_ID = /^(?:ID_)?(?=.*\d)[\da-f-]{24,}$/i;

function isMachineName(text: string): boolean {
  const stem = text.replace(ENDING, '');
  return GIVEN_NAME.test(stem) || GIVEN_ID.test(stem) || (stem !== text && FILE_NAME.test(stem));
}

/**
 * The alternative text of a picture: the first of these that people wrote. What programs write by themselves is none: the name of a file,
 * `Picture 1`; of what Office describes itself, what it says of doing so. White space is one blank, and of more than `LONGEST_ALT`
 * characters the beginning counts.
 */
export function pictureWords(...written: readonly (string | undefined)[]): PictureWords {
  for (const one of written) {
    if (one === undefined || one === '') continue;
    const whole = one.trim();
    // Not in the middle of a sign of two halves.
    const beginning = whole.slice(0, LONGEST_WRITTEN).replace(/[\ud800-\udbff]$/, '');
    let text = visibleText(beginning).replace(/\s+/g, ' ').trim();
    for (let before = ''; before !== text; ) {
      before = text;
      text = text.replace(MADE_BY_OFFICE, '');
    }
    if (text === '' || isMachineName(text)) continue;
    const signs = [...text];
    const cut = signs.length > LONGEST_ALT || beginning.length < whole.length;
    // Joined anew: a slice of a text keeps all of that text in memory.
    return { alt: cut ? `${signs.slice(0, LONGEST_ALT - 1).join('')}…` : signs.join(''), cut };
  }
  return NO_WORDS;
}
