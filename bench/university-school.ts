import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '#server/db/open.ts';
import { localFiles } from '#server/files.ts';
import { importUniversities, loadUniversities } from '#server/import/universities.ts';

/** As many universities as China has, about. */
export const UNIVERSITIES = 2700;

const PLACES = [
  '江苏,南京',
  '浙江,杭州',
  '广东,广州',
  '四川,成都',
  '湖北,武汉',
  '陕西,西安',
  '河北,石家庄',
  '云南,昆明',
];
const KINDS = ['师范学院', '理工学院', '职业技术学院', '医科大学', '财经大学', '农业大学', '科技学院', '外国语学院'];
const WORDS = [...'东南西北中江河湖山海云安平和新华长青白金'];

/** The bundled list and as many made-up universities as fill it up, with a short name each. */
function csv(): string {
  const lines = ['名称,省份,城市,简称,主管部门,地址'];
  for (let at = 0; at < UNIVERSITIES - 147; at += 1) {
    const word = [at, at / 20, at / 400].map((one) => WORDS[Math.floor(one) % 20]).join('');
    const kind = KINDS[at % KINDS.length] ?? '';
    const place = PLACES[at % PLACES.length] ?? '';
    lines.push(`${word}${kind}${at},${place},${word}${kind[0]}${at},省教育厅,${word}路${at}号`);
  }
  return lines.join('\n');
}

/** A data folder with 2,700 universities for the true server. */
export async function makeUniversities(): Promise<{ dataDir: string; close(): void }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lixue-bench-'));
  const db = await openDb({ kind: 'sqlite', path: join(dataDir, 'lixue.db') }, Date.now());
  const files = localFiles(join(dataDir, 'files'));
  await loadUniversities(db, files, () => undefined);
  const list = join(dataDir, 'universities.csv');
  writeFileSync(list, csv());
  const { added } = await importUniversities(db, files, list);
  await db.close();
  if (added !== UNIVERSITIES - 147) throw new Error(`${added} universities were added`);
  return { dataDir, close: () => rmSync(dataDir, { recursive: true, force: true }) };
}
