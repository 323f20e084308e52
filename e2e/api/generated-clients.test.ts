/**
 * @not next: description and endpoints are the same objects with Next, and clients depend only on the description.
 * @not postgres: the description does not depend on the database.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiDocument } from './harness/documented-answers';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { repositoryRoot } from './harness/repository-root';
import { startSandboxGateway } from './harness/sandbox-gateway';

/**
 * A client generated from the description (openapi-typescript with openapi-fetch) compiles with `strict` and calls
 * every operation.
 */

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example?: unknown;
}

interface Described {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: unknown }> } } };
  responses: Record<string, unknown>;
}

function contentOf(operation: unknown): object | undefined {
  return (operation as { requestBody?: { content: object } }).requestBody?.content;
}

interface Outcome {
  data?: unknown;
  error?: { code?: string };
  response: Response;
}

let gateway: GatewayUnderTest;
let folder: string;
let operations: { verb: string; route: string; operation: Described }[];
let calls: Record<string, () => Promise<Outcome>>;

beforeAll(async () => {
  const { gateway: started, sandbox } = await startSandboxGateway();
  gateway = started;
  const { json } = await gateway.ask({ method: 'GET', path: '/api/v1/openapi.json' });
  const document = json as ApiDocument;
  operations = Object.entries(document.paths).flatMap(([route, verbs]) =>
    Object.entries(verbs)
      // Clients of this generator cannot send a form with a file.
      .filter(([, operation]) => !('multipart/form-data' in (contentOf(operation) ?? {})))
      .map(([verb, operation]) => ({
        verb: verb.toUpperCase(),
        route,
        operation: operation as unknown as Described,
      })),
  );
  const cache = path.join(repositoryRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(path.join(cache, 'generated-client-'));
  writeFileSync(
    path.join(folder, 'paths.ts'),
    astToString(await openapiTS(document as unknown as Parameters<typeof openapiTS>[0])),
  );
  writeFileSync(path.join(folder, 'calls.ts'), clientText(`${gateway.url}/api/v1`, sandbox.demoKey));
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Program that calls each operation with the description's examples. */
function clientText(baseUrl: string, key: string): string {
  const lines = operations.map(
    ({ verb, route, operation }) =>
      `  ${operation.operationId}: () => client.${verb}(${JSON.stringify(route)}, ${optionsText(operation)}),`,
  );
  return [
    "import createClient from 'openapi-fetch';",
    "import type { paths } from './paths';",
    `const client = createClient<paths>({ baseUrl: ${JSON.stringify(baseUrl)}, headers: { authorization: ${JSON.stringify(`Bearer ${key}`)} } });`,
    'export const calls = {',
    ...lines,
    '};',
    'export async function inTypes() {',
    "  const answer = await client.POST('/audio/speech', { body: { input: 'Two.' }, parseAs: 'blob' });",
    '  const audio: Blob | undefined = answer.data;',
    "  const chat = await client.POST('/chat/completions', { body: { model: 'guide', messages: [{ role: 'user', content: 'Hello' }] } });",
    "  const [choice] = typeof chat.data === 'string' ? [] : (chat.data?.choices ?? []);",
    '  return { bytes: audio?.size, role: choice?.message?.role };',
    '}',
  ].join('\n');
}

function optionsText({ operationId, parameters = [], requestBody }: Described): string {
  const of = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, example }) => [name, example]),
    );
  const params = Object.fromEntries(
    (['path', 'query'] as const)
      .map((place) => [place, of(place)] as const)
      .filter(([, values]) => Object.keys(values).length > 0),
  );
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  const parts = [
    ...(Object.keys(params).length > 0 ? [`params: ${JSON.stringify(params)}`] : []),
    ...(example ? [`body: ${JSON.stringify(example.value)}`] : []),
    ...(operationId === 'speak' ? ["parseAs: 'arrayBuffer'"] : []),
  ];
  return `{ ${parts.join(', ')} }`;
}

test('compiles under strict, with every example where the types say it belongs', () => {
  const program = ts.createProgram([path.join(folder, 'calls.ts')], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
  expect(
    ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  ).toEqual([]);
});

describe('calls', () => {
  /** Results that are not 200 when the examples are sent with the sandbox's key. */
  const OTHERWISE: Record<string, [status: number, code: string]> = {
    retrieveVideo: [404, 'VIDEO_NOT_FOUND'],
    completeVideo: [404, 'VIDEO_NOT_FOUND'],
    signature: [404, 'SIGNATURE_NOT_FOUND'],
    receipt: [404, 'RECEIPT_NOT_FOUND'],
    keptReport: [404, 'REPORT_NOT_FOUND'],
    mintKey: [400, 'MINT_TOKEN_MALFORMED'],
    listKeys: [403, 'FORBIDDEN'],
    makeKey: [403, 'FORBIDDEN'],
    retrieveKey: [403, 'FORBIDDEN'],
    changeKey: [403, 'FORBIDDEN'],
    revokeKey: [403, 'FORBIDDEN'],
    topUp: [402, 'PAYMENT_REQUIRED'],
    walletBalance: [401, 'UNAUTHORIZED'],
    walletTransactions: [401, 'UNAUTHORIZED'],
    withdrawals: [401, 'UNAUTHORIZED'],
    withdrawal: [401, 'UNAUTHORIZED'],
    withdraw: [401, 'UNAUTHORIZED'],
  };

  beforeAll(async () => {
    const bundled = path.join(folder, 'calls.mjs');
    await build({
      entryPoints: [path.join(folder, 'calls.ts')],
      outfile: bundled,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    ({ calls } = (await import(pathToFileURL(bundled).href)) as { calls: typeof calls });
  });

  test('each operation, and gets what is documented', async () => {
    expect(Object.keys(calls)).toEqual(operations.map(({ operation }) => operation.operationId));
    for (const { operation } of operations) {
      const { data, error, response } = await (calls[operation.operationId] as () => Promise<Outcome>)();
      const [status, code] = OTHERWISE[operation.operationId] ?? [200, undefined];
      expect([operation.operationId, response.status, error?.code]).toEqual([operation.operationId, status, code]);
      expect(operation.responses).toHaveProperty(String(status));
      if (status === 200) expect(data).toBeTruthy();
    }
  });

  test('audio is bytes, and a completion has its members', async () => {
    const { inTypes } = (await import(pathToFileURL(path.join(folder, 'calls.mjs')).href)) as {
      inTypes: () => Promise<{ bytes: number; role: string }>;
    };
    const { bytes, role } = await inTypes();
    expect([bytes > 1_000, role]).toEqual([true, 'assistant']);
  });
});
