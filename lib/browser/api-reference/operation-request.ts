import { type CallCredential, credentialHeader } from '@/lib/client';
import { quoteShell } from '../samples/quote-shell';
import type { ApiOperation, ApiParameter } from './api-description';

/** What a person filled in, by parameter name. */
export type ParameterValues = Readonly<Record<string, string>>;

/** The parameters that have to be given and are not. */
export function missingParameters({ parameters }: ApiOperation, values: ParameterValues): readonly ApiParameter[] {
  return parameters.filter(
    ({ name, required, place }) => (required || place === 'path') && (values[name] ?? '') === '',
  );
}

/** The path with its parameters filled in, percent-encoded; those not given stand as `{name}`, or are left out of the query. */
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
  /** What the path is relative to. */
  baseUrl: string;
  values: ParameterValues;
  /** The credential or what stands for it; null sends none. */
  credential: CallCredential | null;
  /** A JSON value for operations with a body. */
  body?: unknown;
}

/** The operation as one curl command for a POSIX shell. */
export function operationCurl(operation: ApiOperation, { baseUrl, values, credential, body }: CurlOptions): string {
  const headers = [
    ...(credential === null || operation.credentials.length === 0 ? [] : [credentialHeader(credential).join(': ')]),
    ...operation.parameters.flatMap(({ name, place }) =>
      place === 'header' && values[name] ? [`${name}: ${values[name]}`] : [],
    ),
    ...(body === undefined ? [] : [`Content-Type: ${operation.body?.mediaType ?? 'application/json'}`]),
  ];
  const verb = operation.verb === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${operation.verb} `;
  return [
    `curl ${verb}${quoteShell(baseUrl + operationPath(operation, values))}`,
    ...headers.map((header) => `  -H ${quoteShell(header)}`),
    ...(body === undefined ? [] : [`  -d ${quoteShell(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`]),
  ].join(' \\\n');
}
