/** Where it is said on the bus that something about one person's notices has changed. */
export const noticesOf = (userId: number) => `notice:${userId}`;
