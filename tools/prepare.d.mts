export function buildWeb(options?: { sizes?: boolean }): void;
