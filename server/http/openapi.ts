import type { Call } from '#contract/call.ts';
import { refusals, type Why } from '#contract/envelope.ts';
import { FORM_TYPE } from './form.ts';
import { SESSION_COOKIE } from './serve.ts';

const always: readonly Why[] = ['badInput', 'broken'];

/** The OpenAPI 3.1 description of every call, from the schemas that validate and serialize it. */
export function describeCalls(calls: readonly { feature: string; call: Call }[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { feature, call } of calls) {
    const whys: Why[] = [...always, ...call.refuses];
    if (call.who !== 'visitor') whys.push('notSignedIn');
    if (call.who === 'teacher') whys.push('notAllowed');
    if (call.writes) whys.push('crossSite');
    if (call.writes && call.method === 'GET') whys.push('notByAddress');
    const refused = new Map<number, Why[]>();
    for (const why of whys) refused.set(refusals[why].code, [...(refused.get(refusals[why].code) ?? []), why]);
    const input =
      call.method === 'GET'
        ? {
            parameters: Object.entries(call.input.properties).map(([name, schema]) => ({
              name,
              in: 'query',
              required: call.input.required?.includes(name) ?? false,
              schema,
            })),
          }
        : {
            requestBody: {
              required: true,
              content: { [call.form ? FORM_TYPE : 'application/json']: { schema: call.input } },
            },
          };
    paths[call.path] = {
      ...paths[call.path],
      [call.method.toLowerCase()]: {
        tags: [feature],
        summary: call.says,
        description: `Source: ${call.source}. Who: ${call.who}.`,
        ...(call.who === 'visitor' ? {} : { security: [{ session: [] }, { bearer: [] }] }),
        ...input,
        responses: {
          200: { description: 'Done', content: { 'application/json': { schema: envelope(call.data) } } },
          ...Object.fromEntries(
            [...refused].map(([code, list]) => [
              code,
              { description: list.map((why) => `${why}: ${refusals[why].msg}`).join(' · ') },
            ]),
          ),
        },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: '砺学 Lixue',
      version: '1',
      description: 'Every answer is { code, msg, data }; code equals the HTTP status.',
    },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    paths,
  };
}

const envelope = (data: object) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: { const: 200 }, msg: { type: 'string' }, data },
});
