import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientSampleOf, httpSamplesOf, type HttpRequest } from './http-request';

const run = promisify(execFile);
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
const LANGUAGES = ['curl', 'fetch', ...(hasPython ? ['python'] : [])];

let server: Server;
let origin: string;
let received: {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"0x2a"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => (received = []));
afterAll(() => void server.close());

async function runSample(language: string, request: HttpRequest): Promise<string> {
  const code = httpSamplesOf(request).find((sample) => sample.language === language)?.code ?? '';
  if (language === 'curl') return (await run('sh', ['-c', code.replace('curl', 'curl -sS')])).stdout;
  if (language === 'python') return (await run('python3', ['-c', code])).stdout;
  return (await run(process.execPath, ['--input-type=module', '-e', code])).stdout;
}

describe.each(LANGUAGES)('the %s sample, pasted and run', (language) => {
  it('keeps an answer that is a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sample-'));
    const saveAs = join(folder, "it's.mp3");
    await runSample(language, {
      verb: 'POST',
      url: `${origin}/speech`,
      credential: null,
      body: { input: 'Hello' },
      saveAs,
    });
    expect(await readFile(saveAs, 'utf8')).toBe('{"data":"0x2a"}');
    await rm(folder, { recursive: true });
  });

  it('prints an answer that arrives piece by piece', async () => {
    const body = { stream: true };
    expect(
      await runSample(language, { verb: 'POST', url: `${origin}/chat`, credential: null, body, isStreamed: true }),
    ).toContain('0x2a');
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(body);
  });

  it('reads with a key', async () => {
    expect(
      await runSample(language, {
        verb: 'GET',
        url: `${origin}/api/v1/billing/usage?groupBy=key&startDate=2026-11-01`,
        credential: { kind: 'apiKey', apiKey: "tp_it's" },
      }),
    ).toContain('0x2a');
    expect(received).toMatchObject([
      {
        method: 'GET',
        url: '/api/v1/billing/usage?groupBy=key&startDate=2026-11-01',
        headers: { authorization: "Bearer tp_it's" },
        body: '',
      },
    ]);
  });

  it('deletes by wallet sign-in', async () => {
    await runSample(language, {
      verb: 'DELETE',
      url: `${origin}/api/v1/api_keys?id=7`,
      credential: { kind: 'signIn', signIn: 'eyJ=' },
    });
    expect(received).toMatchObject([
      { method: 'DELETE', url: '/api/v1/api_keys?id=7', headers: { 'sign-in-with-x': 'eyJ=' } },
    ]);
  });

  it('posts a body, and no credential where none is needed', async () => {
    const body = { description: `it's a "key" \\ €😀`, consumptionLimit: { usd: 1.5, diem: null }, isOn: true };
    await runSample(language, { verb: 'POST', url: `${origin}/mint`, credential: null, body });
    expect(received).toMatchObject([{ method: 'POST', headers: { 'content-type': 'application/json' } }]);
    expect(received[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(body);
  });
});

it('sends a form with a file in curl and TypeScript, and names the file in Python', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  const file = join(folder, "it's.mp3");
  await writeFile(file, 'ID3');
  const request: HttpRequest = {
    verb: 'POST',
    url: `${origin}/transcribe`,
    credential: { kind: 'apiKey', apiKey: 'tp_key' },
    form: { file: `@${file}`, model: 'whisper' },
  };
  for (const language of ['curl', 'fetch']) await runSample(language, request);
  await rm(folder, { recursive: true });
  for (const { method, headers, body } of received) {
    expect(method).toBe('POST');
    expect(headers).toMatchObject({ authorization: 'Bearer tp_key' });
    expect(headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(body).toMatch(/name="file"; filename="[^"]*it's\.mp3"[^]*ID3[^]*name="model"\s+whisper/);
  }
  expect(received).toHaveLength(2);
  const python = httpSamplesOf(request).find(({ language }) => language === 'python')?.code;
  expect(python).toContain(`files={"file": open(${JSON.stringify(file)}, "rb")}`);
  expect(python).toContain('data={"model": "whisper"}');
});

describe('the sample for the client package', () => {
  const request: HttpRequest = {
    verb: 'POST',
    url: 'https://gateway.example/api/v1/embeddings',
    credential: { kind: 'apiKey', apiKey: "tp_it's" },
    body: { input: 'x' },
  };

  it('hands the key to the client, and sends no credential of its own', () => {
    expect(clientSampleOf(request)?.code).toBe(`import { createTurnpike } from 'turnpike-client';

const gateway = createTurnpike({ url: 'https://gateway.example', account: 'tp_it\\'s' });
const response = await gateway.fetch('https://gateway.example/api/v1/embeddings', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    "input": "x"
  }),
});
console.log(response.status, await response.json());
`);
  });

  it('takes a wallet where a wallet signs in, imports everything first, and has nothing for a public call', () => {
    const signedIn = { ...request, credential: { kind: 'signIn', signIn: 'eyJ=' } as const, saveAs: 'answer.mp3' };
    const code = clientSampleOf(signedIn)?.code ?? '';
    expect(code).toContain('account: privateKeyToAccount(process.env.WALLET_KEY)');
    expect(code).not.toContain('eyJ=');
    expect(code.lastIndexOf('import ')).toBeLessThan(code.indexOf('const gateway'));
    expect(clientSampleOf({ ...request, credential: null })).toBeNull();
  });
});
