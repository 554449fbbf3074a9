export const waiting: readonly { file: string; faults: readonly string[] }[] = [];
