export function findBrowser(options: { mayInstall: boolean }): string | null;
