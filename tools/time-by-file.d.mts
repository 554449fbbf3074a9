export function timeByFile(times: readonly { file: string; milliseconds: number }[], most?: number): string[];
