import { type APIRequestContext, expect } from '@playwright/test';
import type { CallData, CallInputs, Calls } from '#contract/all.ts';

type Name = keyof Calls;

/** Makes a call that has to work, past the screens, and gives its data: to prepare a journey or to look behind one. */
export async function call<N extends Name>(
  request: APIRequestContext,
  name: N,
  input: CallInputs[N],
): Promise<CallData[N]> {
  const [method, path = ''] = name.split(' ');
  const answer =
    method === 'GET'
      ? await request.get(path, { params: { ...input } as Record<string, string | number | boolean> })
      : await request.post(path, { data: input });
  const envelope = (await answer.json()) as { code: number; msg: string; data: CallData[N] };
  expect(envelope.code, `${name}: ${envelope.msg}`).toBe(200);
  return envelope.data;
}
