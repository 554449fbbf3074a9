/** The demo account that a student tries the site with: made by a start with DEMO, named on its sign-in page. */
export const demoStudent = { phone: '13800000001', password: 'lixue-demo' } as const;
