import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordOf } from '@/lib/protocol/json-record';
import type { Program } from './program';
import type { RecordedRequest } from './recorder';
import type { Route } from './stage';
import { PROMPTS, type TaskName } from './tasks';

/** Folder in which tests find the recorded requests of programs. */
export const FIXTURES = 'e2e/api/agent-requests';
/** Longer texts are shortened, because they are the programs' prompts and descriptions, whose copyright is not ours. */
const TEXT_CHARACTERS_MAX = 200;
const HEADERS_LEFT_OUT = /^(host|connection|content-length|accept-encoding|transfer-encoding)$/i;
const SECRET_HEADERS = /^(authorization|x-api-key)$/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Digests, device ids and trace ids. */
const LONG_HEX = /\b[0-9a-f]{32,64}\b/gi;
/** Placeholder, like `call_1`, for ids that a program or the gateway generated. */
const PLACEHOLDER_UUID = '00000000-0000-4000-8000-000000000000';

/** Recorded request that tests send again. `KEY` replaces the API key. */
export interface RequestFixture {
  task: TaskName;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Null if the request has no body. */
  body: Readonly<Record<string, unknown>> | null;
  /** Status of the gateway's answer. */
  status: number;
}

/** Requests of a program, with the versions of its packages. */
export interface ProgramFixture {
  program: string;
  packages: Readonly<Record<string, string>>;
  requests: RequestFixture[];
}

/**
 * Writes a program's requests, one per line, without secrets, machine-specific values and long texts.
 *
 * @param folder the stage's folder, whose name is replaced
 */
export function writeFixture(
  program: Program,
  route: Route,
  requests: readonly (RecordedRequest & { task: TaskName })[],
  folder: string,
): void {
  const lines = requests.map((request) => JSON.stringify(requestFixture(request, folder)));
  mkdirSync(FIXTURES, { recursive: true });
  writeFileSync(
    join(FIXTURES, `${program.name}${route === 'gateway' ? '' : '-own-models'}.json`),
    `{"program":${JSON.stringify(route === 'gateway' ? program.title : `${program.title} with its own models`)},"packages":${JSON.stringify(program.packages)},"requests":[\n${lines.join(',\n')}\n]}\n`,
  );
}

/** Removes secrets, machine-specific values and long texts from a request. */
export function requestFixture(
  { task, method, path, headers, body, status }: RecordedRequest & { task: TaskName },
  folder: string,
): RequestFixture {
  const clean = (text: string): string => withoutTraces(text, folder);
  const kept = headers
    .filter(([name]) => !HEADERS_LEFT_OUT.test(name))
    .map(([name, value]) => [
      name.toLowerCase(),
      SECRET_HEADERS.test(name) ? value.replace(/\S+$/, 'KEY') : clean(value),
    ]);
  return {
    task,
    method,
    path: path.replace(/^\/api(?=\/)/, ''),
    headers: Object.fromEntries(kept) as Record<string, string>,
    body: body === '' ? null : recordOf(shortened(JSON.parse(body), clean)),
    status,
  };
}

function withoutTraces(text: string, folder: string): string {
  return text
    .replaceAll(new RegExp(`${folder}/[\\w-]+`, 'g'), '/exercise')
    .replace(UUID, PLACEHOLDER_UUID)
    .replace(LONG_HEX, (digits) => '0'.repeat(digits.length));
}

/** Shortens long texts and keeps the structure. Keeps images whole, because the model checks that it gets them. */
function shortened(value: unknown, clean: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return shortText(clean(value), name);
  if (Array.isArray(value)) return value.map((each) => shortened(each, clean, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, clean, key)]));
}

function shortText(text: string, name: string): string {
  if (name === 'description') return 'What it is for.';
  if (text.startsWith('data:image/') || /^iVBORw0KGgo[\w+/=]+$/.test(text)) return text;
  const prompt = Object.values(PROMPTS).find((each) => text.includes(each)) ?? '';
  return text.length <= TEXT_CHARACTERS_MAX ? text : `A text of ${text.length} characters stood here. ${prompt}`.trim();
}
