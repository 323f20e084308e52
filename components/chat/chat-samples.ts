import { quoteJs, quoteShell, type Sample } from '@/components/samples/sample';
import { formatJson, readTree } from '@/lib/browser/text/json-document';
import { type CallCredential, credentialHeader } from '@/lib/client';
import type { PicturedMessage } from '@/lib/client/private-chat';
import type { PinnedWorkload } from '@/lib/protocol/tee/policy';
import { missingMeasurements } from '@/lib/protocol/tee/workload/known-workload';
import type { AnswerBounds } from './conversation';

export interface SampledChat {
  origin: string;
  credential: CallCredential;
  model: string;
  messages: readonly PicturedMessage[];
  responseFormat: Readonly<Record<string, unknown>> | null;
  bounds?: AnswerBounds;
}

const PATH = '/api/v1/chat/completions';

/** Formats a plain or attested chat as curl, fetch, Python and, with an API key, the OpenAI client. */
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

function bodyOf({ model, messages, ...chat }: SampledChat) {
  return { model, messages, stream: true, ...parametersOf(chat) };
}

function parametersOf({ responseFormat, bounds }: Pick<SampledChat, 'responseFormat' | 'bounds'>) {
  return { ...(responseFormat === null ? {} : { response_format: responseFormat }), ...bounds };
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
  // `__proto__` in an object literal would set the prototype.
  const text = JSON.stringify(value, null, 2).replaceAll('"__proto__":', '["__proto__"]:');
  return text.replaceAll('\n', `\n${margin}`);
}

export interface SampledPrivateChat {
  origin: string;
  credential: CallCredential;
  model: string;
  messages: readonly PicturedMessage[];
  responseFormat: Readonly<Record<string, unknown>> | null;
  bounds?: AnswerBounds;
  pins: readonly PinnedWorkload[];
  /** True in a sandbox. The sample must then accept a simulated verdict. */
  isSimulated: boolean;
}

export function privateChatSamples(chat: SampledPrivateChat): Sample[] {
  return [
    { language: 'curl', family: null, label: 'Command', code: commandOf(chat) },
    { language: 'client', family: null, label: 'TypeScript', code: clientOf(chat) },
  ];
}

function textOf(message: PicturedMessage | undefined): string {
  const { content = '' } = message ?? {};
  return typeof content === 'string'
    ? content
    : content.flatMap((part) => ('text' in part ? part.text : [])).join('\n');
}

const PIN_FLAGS = {
  mrTd: '--mr-td',
  rtMr0: '--rtmr0',
  rtMr1: '--rtmr1',
  rtMr2: '--rtmr2',
  rtMr3: '--rtmr3',
  composeHash: '--compose-hash',
} as const;

/** Uses only the first complete pin, because the command accepts one workload. */
function commandOf({
  origin,
  credential,
  model,
  messages,
  responseFormat,
  bounds = {},
  pins,
  isSimulated,
}: SampledPrivateChat): string {
  const question = textOf(messages.at(-1));
  const system = messages.find(({ role }) => role === 'system');
  const key = credential.kind === 'apiKey' ? `TURNPIKE_API_KEY=${quoteShell(credential.apiKey)} ` : '';
  const pin = pins.find((each) => missingMeasurements(each).length === 0);
  const pinned = Object.entries(PIN_FLAGS).flatMap(([name, flag]) =>
    pin?.[name as keyof typeof PIN_FLAGS] === undefined ? [] : [`  ${flag} ${pin[name as keyof typeof PIN_FLAGS]}`],
  );
  const leftOut = [
    messages.filter(({ role }) => role !== 'system').length > 1 ? 'earlier messages' : [],
    Array.isArray(messages.at(-1)?.content) ? 'the pictures' : [],
    responseFormat === null ? [] : 'the schema',
    Object.keys(bounds).length === 0 ? [] : 'the bounds of the answer',
  ].flat();
  const notes = [
    ...(leftOut.length === 0
      ? []
      : [`# Asks the last question alone, without ${leftOut.join(' and ')}: TypeScript sends all of it.\n`]),
    ...(key === '' ? ['# The wallet signs in: name its keystore, or set TURNPIKE_PRIVATE_KEY instead.\n'] : []),
  ];
  return [
    `${notes.join('')}${key}npx turnpike-client chat`,
    ...(key === '' ? ['  --keystore keystore.json'] : []),
    `  --url ${quoteShell(origin)}`,
    `  --model ${quoteShell(model)}`,
    ...(system === undefined ? [] : [`  --system ${quoteShell(textOf(system))}`]),
    ...pinned,
    ...(isSimulated ? ['  --allow-simulated'] : []),
    // Ends the options, because the question may begin with a dash.
    `  -- ${quoteShell(question)}`,
  ].join(' \\\n');
}

function clientOf({
  origin,
  credential,
  model,
  messages,
  responseFormat,
  bounds = {},
  pins,
  isSimulated,
}: SampledPrivateChat): string {
  const secret =
    credential.kind === 'apiKey' ? `apiKey: ${quoteJs(credential.apiKey)}` : `signIn: ${quoteJs(credential.signIn)}`;
  const policy = [
    ...(pins.length === 0 ? [] : [`pinnedWorkloads: ${plainLiteral(pins)}`]),
    ...(isSimulated ? ['simulatedRoot'] : []),
  ];
  const parameters = parametersOf({ responseFormat, bounds });
  return `import { attestationPolicy, PrivateChatSession } from '@/lib/client/private-chat';
${isSimulated ? `\n// The sandbox's own root. Under it a verdict is "simulated", never more.\nconst sandbox = await (await fetch(${quoteJs(`${origin}/api/sandbox`)})).json();\nconst simulatedRoot = sandbox.enclave.root;\n` : ''}
const session = new PrivateChatSession({
  connection: { baseUrl: ${quoteJs(origin)}, ${secret} },
  model: ${quoteJs(model)},
  encrypted: true,
  policy: attestationPolicy(${policy.length === 0 ? '' : `{ ${policy.join(', ')} }`}),
  accepted: [${isSimulated ? "'verified', 'simulated'" : "'verified'"}],
});

// Attests, encrypts, decrypts, verifies the signature; throws before sending if the verdict is not accepted.
for await (const event of session.send(${plainLiteral(messages)}${Object.keys(parameters).length === 0 ? '' : `, { parameters: ${plainLiteral(parameters)} }`})) {
  if (event.type === 'delta') process.stdout.write(event.text);
  if (event.type === 'signature') console.log(\`\\nsignature: \${event.check.outcome}\`);
}
`;
}

function plainLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('"__proto__":', '["__proto__"]:');
}
