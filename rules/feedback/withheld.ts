/**
 * Whether nothing may be told now of what a teacher answered to a report: that its question was mended, or was right as it
 * was, says something of the key (decisions §3 "No answer leaks"). A report about no question may have been answered about any.
 * @param hidden the questions that its author sits in an open scored exam, with their twins
 */
export function isReportWithheld(questionId: number | null, hidden: ReadonlySet<number>): boolean {
  return questionId === null ? hidden.size > 0 : hidden.has(questionId);
}
