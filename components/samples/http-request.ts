import { type CallCredential, credentialHeader } from '@/lib/client';
import { formatJson, readTree } from '@/lib/browser/text/json-document';
import { quoteJs, quoteShell, type Sample } from './sample';

export interface HttpRequest {
  verb: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** Credential or its masked form; null if the request needs none. */
  credential: CallCredential | null;
  body?: unknown;
  saveAs?: string;
}

export interface PageRequest {
  name: string;
  verb: HttpRequest['verb'];
  path: string;
  body?: unknown;
  saveAs?: string;
  isPublic?: boolean;
}

/** Formats the request for a POSIX shell, as an ES module, and as Python 3 without packages. */
export function httpSamplesOf(request: HttpRequest): Sample[] {
  return [
    { language: 'curl', family: null, label: 'curl', code: curlOf(request) },
    { language: 'fetch', family: null, label: 'TypeScript', code: fetchOf(request) },
    { language: 'python', family: null, label: 'Python', code: pythonOf(request) },
  ];
}

function headersOf({ credential, body }: HttpRequest): readonly (readonly [name: string, value: string])[] {
  return [
    ...(credential === null ? [] : [credentialHeader(credential)]),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ];
}

function curlOf(request: HttpRequest): string {
  const { verb, url, body, saveAs } = request;
  const isImplied = verb === (body === undefined ? 'GET' : 'POST');
  const headers = headersOf(request).map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`);
  const output = saveAs === undefined ? '' : `--fail -o ${quoteShell(saveAs)} `;
  return [
    `curl ${output}${isImplied ? '' : `-X ${verb} `}${quoteShell(url)}`,
    ...headers,
    ...(body === undefined ? [] : [`  -d ${quoteShell(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n');
}

function fetchOf(request: HttpRequest): string {
  const { verb, url, body, saveAs } = request;
  const headers = headersOf(request).map(
    ([name, value]) => `    ${/^\w+$/.test(name) ? name : quoteJs(name)}: ${quoteJs(value)},`,
  );
  const options = [
    ...(verb === 'GET' ? [] : [`  method: '${verb}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ];
  const second = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const sent = `const response = await fetch(${quoteJs(url)}${second});\n`;
  if (saveAs === undefined) return `${sent}console.log(response.status, await response.json());\n`;
  return `import { writeFile } from 'node:fs/promises';\n\n${sent}if (!response.ok) throw new Error(await response.text());\nawait writeFile(${quoteJs(saveAs)}, Buffer.from(await response.arrayBuffer()));\n`;
}

function pythonOf(request: HttpRequest): string {
  const { verb, url, body, saveAs } = request;
  const tree = body === undefined ? null : readTree(JSON.stringify(body));
  const headers = headersOf(request).map(
    ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const lines = [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    ...(tree === null ? [] : [`body = ${formatJson(tree, { style: 'python' })}`]),
    'request = Request(',
    `    ${JSON.stringify(url)},`,
    ...(tree === null ? [] : ['    data=json.dumps(body).encode(),']),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    `    method="${verb}",`,
    ')',
    ...(saveAs === undefined
      ? ['with urlopen(request) as response:', '    print(response.status, json.dumps(json.load(response), indent=2))']
      : [
          `with urlopen(request) as response, open(${JSON.stringify(saveAs)}, "wb") as file:`,
          '    file.write(response.read())',
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
