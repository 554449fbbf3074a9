import type { Insertable } from 'kysely';
import type { UniversityRow } from '#content/university/university-row.ts';
import { batches } from '#server/db/batches.ts';
import { differs } from '#server/db/differs.ts';
import type { Query, Trx } from '#server/db/open.ts';
import type { Universities } from '#server/db/schema.ts';

export interface UniversityChanges {
  added: number;
  changed: number;
  unchanged: number;
  /** Rows of the bundled list that stay as the school has made them. */
  leftToSchool: number;
}

/** A row with the address of the mark to show; undefined: a known university keeps its own. */
export interface MarkedRow extends Omit<UniversityRow, 'logo'> {
  logoUrl: string | undefined;
}

type Row = Insertable<Universities>;

/** Only what the file says; columns it does not have are not in the result. */
function columnsOf(row: MarkedRow): Partial<Row> & Pick<Row, 'name' | 'prov' | 'city'> {
  const { name, prov, city } = row;
  const maybe: Partial<Row> = {
    is985: row.is985,
    is211: row.is211,
    is_dfc: row.isDfc,
    affiliation: row.affiliation,
    relationship: row.relationship,
    official_web: row.officialWeb,
    tel: row.tel,
    school_location: row.schoolLocation,
    tags: row.tags && JSON.stringify(row.tags),
    aliases: row.aliases && JSON.stringify(row.aliases),
    logo_url: row.logoUrl,
    historical_continuation: row.historicalContinuation,
    education: row.education,
    laboratory_situation: row.laboratorySituation,
    subject_review: row.subjectReview,
    specialty: row.specialty,
    key_information_points: row.keyInformationPoints,
  };
  const said = Object.entries(maybe).filter(([, value]) => value !== undefined);
  return { name, prov, city, ...Object.fromEntries(said) };
}

/** What a new university has where its file says nothing. */
const EMPTY = {
  is985: 0,
  is211: 0,
  is_dfc: 0,
  affiliation: '',
  relationship: '',
  official_web: '',
  tel: '',
  logo_url: '',
  school_location: '',
  tags: '[]',
  aliases: '[]',
  historical_continuation: '',
  education: '',
  laboratory_situation: '',
  subject_review: '',
  specialty: '',
  key_information_points: '',
};

/**
 * Brings rows in: a new name is added at the end, a known one changes where the file says something else. The bundled list
 * never changes what a school has brought or changed itself.
 */
export async function syncUniversities(
  trx: Trx,
  rows: readonly MarkedRow[],
  origin: 'bundled' | 'school',
): Promise<UniversityChanges> {
  const rowsByName = new Map(
    (await trx.selectFrom('universities').selectAll().execute()).map((row) => [row.name, row]),
  );
  const changes: UniversityChanges = { added: 0, changed: 0, unchanged: 0, leftToSchool: 0 };
  let position = Math.max(0, ...[...rowsByName.values()].map((row) => row.position));
  const fresh: Row[] = [];
  for (const row of rows) {
    const columns = columnsOf(row);
    const stored = rowsByName.get(row.name);
    if (!stored) {
      position += 1;
      fresh.push({ ...EMPTY, ...columns, origin, position });
      changes.added += 1;
    } else if (origin === 'bundled' && stored.origin === 'school') {
      changes.leftToSchool += 1;
    } else if (!differs(columns, stored)) {
      changes.unchanged += 1;
    } else {
      await trx
        .updateTable('universities')
        .set({ ...columns, origin })
        .where('id', '=', stored.id)
        .execute();
      changes.changed += 1;
    }
  }
  for (const batch of batches(fresh)) await trx.insertInto('universities').values(batch).execute();
  return changes;
}

/** Of every university the mark it shows, and the short names from which a mark is drawn. */
export async function storedMarks(query: Query): Promise<Map<string, { aliases: string[]; logoUrl: string }>> {
  const rows = await query.selectFrom('universities').select(['name', 'aliases', 'logo_url']).execute();
  return new Map(
    rows.map((row) => [row.name, { aliases: JSON.parse(row.aliases) as string[], logoUrl: row.logo_url }]),
  );
}
