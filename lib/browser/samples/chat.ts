import { type CallCredential, credentialHeader } from '@/lib/client';
import type { ChatMessage } from '../chat/conversation';
import { readTree } from '../json-document';
import { formatJson } from '../json-format';
import type { Sample } from './index';
import { quoteShell } from './quote-shell';
import { quoteJs } from './sample';

export interface SampledChat {
  origin: string;
  credential: CallCredential;
  model: string;
  messages: readonly ChatMessage[];
  responseFormat: Readonly<Record<string, unknown>> | null;
}

const PATH = '/api/v1/chat/completions';

/** Formats a plain or attested chat as curl, the official OpenAI client, fetch, and Python 3 without packages. */
export function chatSamples(chat: SampledChat): Sample[] {
  return [
    { language: 'curl', family: null, label: 'curl', code: curlOf(chat) },
    ...(chat.credential.kind === 'apiKey'
      ? [{ language: 'openai', family: 'TypeScript', label: 'openai', code: openaiOf(chat) } as const]
      : []),
    { language: 'fetch', family: 'TypeScript', label: 'fetch', code: fetchOf(chat) },
    { language: 'python', family: null, label: 'Python', code: pythonOf(chat) },
  ];
}

function bodyOf({ model, messages, responseFormat }: SampledChat) {
  return { model, messages, stream: true, ...(responseFormat === null ? {} : { response_format: responseFormat }) };
}

function curlOf(chat: SampledChat): string {
  const [name, value] = credentialHeader(chat.credential);
  return [
    `curl -N ${quoteShell(chat.origin + PATH)}`,
    `  -H ${quoteShell(`${name}: ${value}`)}`,
    `  -H ${quoteShell('Content-Type: application/json')}`,
    `  -d ${quoteShell(JSON.stringify(bodyOf(chat), null, 2))}`,
  ].join(' \\\n');
}

function openaiOf(chat: SampledChat): string {
  const key = chat.credential.kind === 'apiKey' ? chat.credential.apiKey : '';
  return `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${quoteJs(`${chat.origin}/api/v1`)}, apiKey: ${quoteJs(key)} });
const stream = await client.chat.completions.create(${literal(bodyOf(chat), 0)});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
`;
}

function fetchOf(chat: SampledChat): string {
  const [name, value] = credentialHeader(chat.credential);
  return `const response = await fetch(${quoteJs(chat.origin + PATH)}, {
  method: 'POST',
  headers: {
    ${/^\w+$/.test(name) ? name : quoteJs(name)}: ${quoteJs(value)},
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${literal({ ...bodyOf(chat), stream: false }, 2)}),
});
const { choices, usage } = await response.json();
console.log(choices[0].message.content, usage);
`;
}

function pythonOf(chat: SampledChat): string {
  const [name, value] = credentialHeader(chat.credential);
  const tree = readTree(JSON.stringify({ ...bodyOf(chat), stream: false }));
  return `import json
from urllib.request import Request, urlopen

body = ${tree === null ? 'None' : formatJson(tree, { style: 'python' })}
request = Request(
    ${JSON.stringify(chat.origin + PATH)},
    data=json.dumps(body).encode(),
    headers={
        ${JSON.stringify(name)}: ${JSON.stringify(value)},
        "Content-Type": "application/json",
    },
)
with urlopen(request) as response:
    answer = json.load(response)
    print(answer["choices"][0]["message"]["content"], answer["usage"])
`;
}

function literal(value: unknown, marginColumns: number): string {
  const margin = ' '.repeat(marginColumns);
  // `__proto__` in an object literal would set the prototype, and a schema may have a property of that name.
  const text = JSON.stringify(value, null, 2).replaceAll('"__proto__":', '["__proto__"]:');
  return text.replaceAll('\n', `\n${margin}`);
}
