import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chatSamples, privateChatSamples, type SampledChat, type SampledPrivateChat } from './chat-samples';

const run = promisify(execFile);
const question = 'It\'s "quoted", with \\ and `$HOME` and €😀\nin two lines';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

let server: Server;
let origin: string;
let folder: string;
let received: Received[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      received.push({ headers: request.headers, body });
      if (body['stream'] === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(
          'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"guide","choices":[{"index":0,"delta":{"content":"forty-two"},"finish_reason":null}]}\n\ndata: [DONE]\n\n',
        );
      } else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          '{"choices":[{"message":{"content":"forty-two"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}',
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'chat-samples-'));
});
beforeEach(() => (received = []));
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const chatOf = (change: Partial<SampledChat> = {}): SampledChat => ({
  origin,
  credential: { kind: 'apiKey', apiKey: 'tp_secret' },
  model: 'guide',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: question },
  ],
  responseFormat: {
    type: 'json_schema',
    json_schema: {
      name: 'answer',
      strict: true,
      schema: {
        type: 'object',
        properties: { ['__proto__']: { type: ['string', 'null'] } },
        required: ['__proto__'],
        additionalProperties: false,
      },
    },
  },
  bounds: { temperature: 0.2, max_tokens: 300 },
  ...change,
});

const codeOf = (language: string, change?: Partial<SampledChat>) => {
  const found = chatSamples(chatOf(change)).find((sample) => sample.language === language);
  if (found === undefined) throw new Error(`no sample in ${language}`);
  return found.code;
};

async function runSample(language: string, code: string): Promise<string> {
  if (language === 'curl') return (await run('sh', ['-c', code.replace('curl', 'curl -sS')])).stdout;
  if (language === 'python') return (await run('python3', ['-c', code])).stdout;
  const outfile = join(folder, `${language}.mjs`);
  await build({
    stdin: { contents: code, loader: 'ts', resolveDir: process.cwd() },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
  });
  return (await run(process.execPath, [outfile])).stdout;
}

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);

describe.each(['curl', 'openai', 'fetch', ...(hasPython ? ['python'] : [])])(
  'the %s sample of a chat, pasted and run',
  (language) => {
    it('asks what was asked, with the credential, and prints the answer', { timeout: 30_000 }, async () => {
      const stdout = await runSample(language, codeOf(language));
      expect(received).toHaveLength(1);
      expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer tp_secret' });
      expect(received[0]?.body).toMatchObject({ model: 'guide', messages: chatOf().messages, ...chatOf().bounds });
      expect(JSON.stringify(received[0]?.body['response_format'])).toBe(JSON.stringify(chatOf().responseFormat));
      expect(stdout).toContain('forty-two');
    });
  },
);

it('a wallet’s chat has no sample for the openai client, which sends keys only', () => {
  expect(() => codeOf('openai', { credential: { kind: 'signIn', signIn: 'abc' } })).toThrow('no sample');
  expect(codeOf('curl', { credential: { kind: 'signIn', signIn: 'abc' } })).toContain('SIGN-IN-WITH-X: abc');
});

describe('an encrypted chat', () => {
  const privateOf = (change: Partial<SampledPrivateChat> = {}): SampledPrivateChat => ({
    ...chatOf({ bounds: {} }),
    model: 'e2ee-guide',
    pins: [
      { name: 'old', composeHash: 'cd'.repeat(32) },
      {
        name: 'mine',
        composeHash: 'ab'.repeat(32),
        mrTd: '1'.repeat(96),
        rtMr0: '2'.repeat(96),
        rtMr1: '3'.repeat(96),
        rtMr2: '4'.repeat(96),
      },
    ],
    isSimulated: true,
    ...change,
  });

  /** Returns the key and the arguments as a shell passes them. */
  const asRead = async (code: string): Promise<string[]> => {
    const program = `npx() { printf '%s\\0' "$TURNPIKE_API_KEY" "$@"; }\n${code}`;
    const { stdout } = await run('sh', ['-c', program], { env: { ...process.env, TURNPIKE_API_KEY: '' } });
    return stdout.split('\0').slice(0, -1);
  };

  it('of a wallet names a keystore, since a sign-in expires', async () => {
    const code =
      privateChatSamples(privateOf({ credential: { kind: 'signIn', signIn: 'abc' }, pins: [], isSimulated: false }))[0]
        ?.code ?? '';
    expect(code).not.toContain('abc');
    expect((await asRead(code)).slice(0, 5)).toEqual(['', 'turnpike-client', 'chat', '--keystore', 'keystore.json']);
  });

  it('is a command whose arguments a shell reads as they are', async () => {
    const code = privateChatSamples(privateOf())[0]?.code ?? '';
    expect(await asRead(code)).toEqual([
      'tp_secret',
      'turnpike-client',
      'chat',
      '--url',
      origin,
      '--model',
      'e2ee-guide',
      '--system',
      'Be brief.',
      '--mr-td',
      '1'.repeat(96),
      '--rtmr0',
      '2'.repeat(96),
      '--rtmr1',
      '3'.repeat(96),
      '--rtmr2',
      '4'.repeat(96),
      '--compose-hash',
      'ab'.repeat(32),
      '--allow-simulated',
      '--',
      question,
    ]);
  });

  it('says what the command leaves out, and leaves the rest of it as it is', async () => {
    const messages = [
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: question },
    ] as const;
    const code = privateChatSamples(privateOf({ messages, responseFormat: { type: 'json_schema' } }))[0]?.code ?? '';
    expect(code).toMatch(/^# Asks the last question alone, without earlier messages and the schema: /);
    expect(await asRead(code)).toContain(question);
    expect(
      privateChatSamples(privateOf({ messages: messages.slice(-1), responseFormat: null }))[0]?.code,
    ).not.toContain('#');
  });

  it('sends the bounds of the answer in TypeScript, and says that the command does not', () => {
    const samples = privateChatSamples(privateOf({ responseFormat: null, bounds: { max_tokens: 300 } }));
    expect(samples[0]?.code).toMatch(/^# Asks the last question alone, without the bounds of the answer: /);
    expect(samples[1]?.code).toContain('"max_tokens": 300');
  });

  it('takes no simulator where there is none', () => {
    for (const { code } of privateChatSamples(privateOf({ isSimulated: false, pins: [] })))
      expect(code).not.toMatch(/simulat|compose/i);
  });

  it('is TypeScript that can be read', async () => {
    for (const isSimulated of [true, false]) {
      const code = privateChatSamples(privateOf({ isSimulated }))[1]?.code ?? '';
      const { diagnostics } = ts.transpileModule(code, {
        reportDiagnostics: true,
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      expect(diagnostics).toEqual([]);
    }
  });
});
