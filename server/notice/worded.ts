import { noticeTexts } from '#contract/values/notice.ts';
import { fill, type Values } from '#rules/wording/fill.ts';
import type { StoredNotice } from './store.ts';

/** A notice in its Chinese words, with what fills them. */
export function onTheWire({ id, kind, words: stored, record_id, qa_id, created_at, read_at }: StoredNotice) {
  const words = JSON.parse(stored) as Values;
  const { name, content } = noticeTexts[kind];
  return {
    id,
    name: fill(name, words),
    content: fill(content, words),
    kind,
    words: { ...words },
    recordId: record_id,
    qaId: qa_id,
    createdAt: created_at,
    unread: read_at === null,
  };
}
