import type { Static } from 'typebox';
import type { University, UniversityDetails } from '#contract/university.ts';
import type { Query, Trx } from '#server/db/open.ts';
import { readSetting, writeSetting } from '#server/db/settings-store.ts';

type Details = Static<(typeof UniversityDetails)['data']>;

const briefColumns = [
  'id',
  'name',
  'logo_url',
  'prov',
  'city',
  'is985',
  'is211',
  'is_dfc',
  'affiliation',
  'relationship',
  'tags',
  'aliases',
  'school_location',
  'official_web',
  'tel',
] as const;

interface BriefRow {
  id: number;
  name: string;
  logo_url: string;
  prov: string;
  city: string;
  is985: number;
  is211: number;
  is_dfc: number;
  affiliation: string;
  relationship: string;
  tags: string;
  aliases: string;
  school_location: string;
  official_web: string;
  tel: string;
}

const words = (json: string) => JSON.parse(json) as string[];

const briefOf = (row: BriefRow): University => ({
  id: row.id,
  name: row.name,
  logoUrl: row.logo_url,
  prov: row.prov,
  city: row.city,
  is985: row.is985,
  is211: row.is211,
  isDfc: row.is_dfc,
  affiliation: row.affiliation,
  relationship: row.relationship,
  tags: words(row.tags),
  schoolLocation: row.school_location,
  officialWeb: row.official_web,
  tel: row.tel,
});

/** Every university in the order of the list, with its short names. */
export async function allUniversities(query: Query): Promise<{ brief: University; aliases: string[] }[]> {
  const rows = await query.selectFrom('universities').select(briefColumns).orderBy('position').orderBy('id').execute();
  return rows.map((row) => ({ brief: briefOf(row), aliases: words(row.aliases) }));
}

/** One university with its detail texts. */
export async function findUniversity(query: Query, id: number): Promise<Details | undefined> {
  const row = await query.selectFrom('universities').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  return {
    ...briefOf(row),
    aliases: words(row.aliases),
    historicalContinuation: row.historical_continuation,
    education: row.education,
    laboratorySituation: row.laboratory_situation,
    subjectReview: row.subject_review,
    specialty: row.specialty,
    keyInformationPoints: row.key_information_points,
  };
}

/** Changes whenever the universities do: other processes notice by it that what they hold in memory is out of date. */
const VERSION = 'universities_version';
/** Digest of the bundled list last loaded. */
const DIGEST = 'universities_digest';

/** The version of the list; '' before the first one. */
export async function universitiesVersion(query: Query): Promise<string> {
  return (await readSetting(query, VERSION)) ?? '';
}

/** Says that the list has changed. @param version any text that never was one before */
export async function setUniversitiesVersion(trx: Trx, version: string): Promise<void> {
  await writeSetting(trx, VERSION, version);
}

/** The digest of the bundled list that was loaded last; null: none was. */
export async function bundledDigest(query: Query): Promise<string | null> {
  return readSetting(query, DIGEST);
}

/** Notes which bundled list the database holds, in the transaction that wrote it. */
export async function setBundledDigest(trx: Trx, digest: string): Promise<void> {
  await writeSetting(trx, DIGEST, digest);
}
