/** Browsers by what they write of themselves, those that also name another one first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, 'WeChat'],
  [/QQBrowser\/|MQQBrowser\//, 'QQ Browser'],
  [/UCBrowser\/|UBrowser\//, 'UC Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

const named = (of: readonly (readonly [RegExp, string])[], text: string) =>
  of.find(([sign]) => sign.test(text))?.[1] ?? '';

/** What a browser is called, by what it says of itself; '' where it is none that is known. Never the text itself. */
export function deviceName(userAgent: string): { browser: string; system: string } {
  return { browser: named(browsers, userAgent), system: named(systems, userAgent) };
}

/**
 * The beginning of an address, by which somebody knows their own network and nobody else finds a person: two of four numbers,
 * two of eight groups. Nothing is looked up.
 */
export function roughPlace(ip: string): string {
  const plain = (ip.split('%')[0] ?? '').toLowerCase();
  const four = /^(?:::ffff:)?(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(plain);
  if (four) return `${four[1]}.${four[2]}.*.*`;
  const [first = '', second = ''] = plain.split(':');
  return /^[0-9a-f]{1,4}$/.test(first) && /^[0-9a-f]{0,4}$/.test(second) ? `${first}:${second || '0'}:*` : '';
}
