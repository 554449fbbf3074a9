const decoder = new TextDecoder('gb18030', { fatal: true });

/** Two-byte codes by character: what the decoder of the platform says, read backwards. */
function table(): Map<string, number> {
  const codes = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      if (trail === 0x7f) continue;
      try {
        const letter = decoder.decode(new Uint8Array([lead, trail]));
        if (!codes.has(letter)) codes.set(letter, lead * 256 + trail);
      } catch {
        // Not every pair is a character.
      }
    }
  }
  return codes;
}

/** A text as the spreadsheet programs of China save CSV files. Only characters of one or two bytes. */
export function toGb18030(text: string): Uint8Array {
  const codes = table();
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    const pair = codes.get(letter);
    if (code < 0x80) bytes.push(code);
    else if (pair === undefined) throw new Error(`no two-byte code for ${letter}`);
    else bytes.push(pair >> 8, pair & 255);
  }
  return new Uint8Array(bytes);
}
