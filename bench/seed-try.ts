import { writeFileSync } from 'node:fs';
import { makeQaSchool } from './qa-school.ts';
const t = performance.now();
const s = await makeQaSchool(Number(process.env.N ?? 1000000), process.env.PGURL);
writeFileSync(process.env.OUT!, JSON.stringify({dataDir: s.dataDir, databaseUrl: process.env.PGURL, packId: s.pack.packId, students: s.students.map(x=>x.token), teachers: s.teachers}));
console.log('seeded', Math.round((performance.now()-t)/1000));
await s.db.close();
