import { type Attack, judge } from './attack';
import { keyOf, ownOf, type Target } from './target';
import { askJson, bearer } from './wire/ask';
import { counted } from './wire/burst';

const CHAT = '/api/v1/chat/completions';

/**
 * Variants of known field names that case-insensitive decoders accept: capitals, the long s (U+017F) and the Kelvin
 * sign (U+212A).
 */
const FOLDED = [
  '"Max_Tokens":99999',
  '"MAX_TOKENS":99999',
  '"max_to\u212aens":99999',
  '"max_token\u017f":99999',
  '"max_token\\u017f":99999',
  '"N":8',
  '"Stream":true',
  '"\u017ftream":true',
  '"Model":"tee-guide"',
  '"Meſſageſ":[]',
  '"Max_Completion_Tokens":99999',
];
/**
 * Fields with which some servers limit or multiply their output. The gateway does not charge for the additional output.
 */
const LIMITING = [
  '"best_of":8',
  '"min_tokens":9999',
  '"max_new_tokens":99999',
  '"num_predict":99999',
  '"models":["e2ee-guide"]',
  '"thinking":{"type":"enabled","budget_tokens":99999}',
  '"use_beam_search":true',
  '"num_return_sequences":8',
];
/** Fields that the chat already has. Decoders disagree on which of two fields with the same name counts. */
const REPEATED = ['"max_tokens":99999', '"model":"e2ee-guide"', '"n":8', '"stream":true'];

/** Sends a chat with one additional field. Returns the status and the bodies that reached an upstream. */
async function reached(target: Target, model: string, field: string): Promise<{ status: number; bodies: string[] }> {
  const startedMs = performance.now();
  const body = `{"model":"${model}","max_tokens":3,"n":1,"stream":false,"messages":[{"role":"user","content":"hello"}],${field}}`;
  const { status } = await askJson(target, CHAT, body, { headers: bearer(keyOf(target)) });
  const place = model === 'guide' ? '/guide/v1/chat' : '/enclave/v1/chat';
  return {
    status,
    bodies: ownOf(target)
      .recorder.since(startedMs, place)
      .map((each) => each.body),
  };
}

async function sendAll(target: Target, fields: readonly string[], hasField: (body: string, field: string) => boolean) {
  const leaks: string[] = [];
  const statuses: number[] = [];
  for (const model of ['guide', 'tee-guide']) {
    for (const field of fields) {
      const { status, bodies } = await reached(target, model, field);
      statuses.push(status);
      if (bodies.some((body) => hasField(body, field))) leaks.push(`${model}: ${field}`);
    }
  }
  return judge(
    leaks.length === 0,
    `${leaks.length} of ${statuses.length} reached an upstream${leaks.length ? `, such as ${leaks.slice(0, 4).join('; ')}` : ''}; ${counted(statuses)}`,
  );
}

function nameOf(field: string): string {
  return (JSON.parse(`[${field.slice(0, field.indexOf('":') + 1)}]`) as [string])[0];
}

/** Returns whether the top-level object of a body has this field. */
function has(body: string, field: string): boolean {
  return Object.keys(JSON.parse(body) as object).includes(nameOf(field));
}

export const CHAT_FIELD_ATTACKS: readonly Attack[] = [
  {
    id: 'chat-folded-fields',
    title: 'Known fields of a chat in capitals, with the long s or the Kelvin sign, to plain models and to enclaves',
    needs: ['key', 'own gateway'],
    isQuick: true,
    run: (target) => sendAll(target, FOLDED, has),
  },
  {
    id: 'chat-limiting-fields',
    title: 'Fields of other servers that limit or multiply what is produced, to plain models and to enclaves',
    needs: ['key', 'own gateway'],
    isQuick: true,
    run: (target) => sendAll(target, LIMITING, has),
  },
  {
    id: 'chat-repeated-fields',
    title: 'Known fields of a chat twice, of which decoders take the first or the last',
    needs: ['key', 'own gateway'],
    isQuick: true,
    run: (target) => sendAll(target, REPEATED, (body, field) => body.split(`"${nameOf(field)}"`).length > 2),
  },
];
