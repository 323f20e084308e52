import { type CallCredential, credentialHeader } from '@/lib/client';
import { quoteShell } from '@/components/samples/sample';
import type { ApiOperation, ApiParameter } from './api-description';

export type ParameterValues = Readonly<Record<string, string>>;

export function missingParameters({ parameters }: ApiOperation, values: ParameterValues): readonly ApiParameter[] {
  return parameters.filter(
    ({ name, required, place }) => (required || place === 'path') && (values[name] ?? '') === '',
  );
}

/**
 * Returns the path with its parameters percent-encoded. Missing path parameters stay `{name}`; missing query parameters
 * are left out.
 */
export function operationPath({ path, parameters }: ApiOperation, values: ParameterValues): string {
  const filled = path.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : placeholder,
  );
  const query = new URLSearchParams(
    parameters.flatMap(({ name, place }) => (place === 'query' && values[name] ? [[name, values[name]]] : [])),
  );
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

export interface CurlOptions {
  baseUrl: string;
  values: ParameterValues;
  credential: CallCredential | null;
  body?: unknown;
}

/** Formats the operation as one curl command for a POSIX shell. */
export function operationCurl(operation: ApiOperation, { baseUrl, values, credential, body }: CurlOptions): string {
  const isForm = operation.body?.mediaType === 'multipart/form-data';
  const headers = [
    ...(credential === null || operation.credentials.length === 0 ? [] : [credentialHeader(credential).join(': ')]),
    ...operation.parameters.flatMap(({ name, place }) =>
      place === 'header' && values[name] ? [`${name}: ${values[name]}`] : [],
    ),
    ...(body === undefined || isForm ? [] : [`Content-Type: ${operation.body?.mediaType ?? 'application/json'}`]),
  ];
  const verb = operation.verb === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${operation.verb} `;
  return [
    `curl ${verb}${quoteShell(baseUrl + operationPath(operation, values))}`,
    ...headers.map((header) => `  -H ${quoteShell(header)}`),
    ...(body === undefined ? [] : isForm ? formLines(body) : [bodyLine(body)]),
  ].join(' \\\n');
}

function bodyLine(body: unknown): string {
  return `  -d ${quoteShell(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`;
}

/** Uses curl's `-F`. For a value such as `@speech.mp3`, curl then sends the content of that file. */
function formLines(body: unknown): string[] {
  return Object.entries(body as Record<string, unknown>).map(
    ([name, value]) => `  -F ${quoteShell(`${name}=${String(value)}`)}`,
  );
}
