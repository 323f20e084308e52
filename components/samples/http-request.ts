import { type CallCredential, credentialHeader } from '@/lib/client';
import { formatJson, readTree } from '@/lib/browser/text/json-document';
import { quoteJs, quoteShell, type Sample } from './sample';

export interface HttpRequest {
  verb: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** Credential or its masked form; null if the request needs none. */
  credential: CallCredential | null;
  body?: unknown;
  /** Fields of a multipart form, instead of a body. A value that begins with @ is a file. */
  form?: Readonly<Record<string, string>>;
  /** True if the answer is a stream of text. */
  isStreamed?: boolean;
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

/** Formats the request for a POSIX shell, as an ES module and as Python 3. */
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
  const { verb, url, body, form = {}, saveAs } = request;
  const isImplied = verb === (body === undefined && request.form === undefined ? 'GET' : 'POST');
  const headers = headersOf(request).map(([name, value]) => `  -H ${quoteShell(`${name}: ${value}`)}`);
  const output = saveAs === undefined ? '' : `--fail -o ${quoteShell(saveAs)} `;
  return [
    `curl ${output}${isImplied ? '' : `-X ${verb} `}${quoteShell(url)}`,
    ...headers,
    ...(body === undefined ? [] : [`  -d ${quoteShell(JSON.stringify(body, null, 2))}`]),
    ...Object.entries(form).map(([name, value]) => `  -F ${quoteShell(`${name}=${value}`)}`),
  ].join(' \\\n');
}

function fetchOf(request: HttpRequest, fetch = 'fetch'): string {
  const { verb, url, body, form, isStreamed, saveAs } = request;
  const headers = headersOf(request).map(
    ([name, value]) => `    ${/^\w+$/.test(name) ? name : quoteJs(name)}: ${quoteJs(value)},`,
  );
  const options = [
    ...(verb === 'GET' ? [] : [`  method: '${verb}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
    ...(form === undefined ? [] : ['  body: form,']),
  ];
  const second = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const files = [
    ...(saveAs === undefined ? [] : ["import { writeFile } from 'node:fs/promises';\n\n"]),
    ...(form === undefined ? [] : ["import { openAsBlob } from 'node:fs';\n\n", formOf(form)]),
  ].join('');
  const sent = `${files}const response = await ${fetch}(${quoteJs(url)}${second});\n`;
  if (saveAs !== undefined)
    return `${sent}if (!response.ok) throw new Error(await response.text());\nawait writeFile(${quoteJs(saveAs)}, Buffer.from(await response.arrayBuffer()));\n`;
  return isStreamed
    ? `${sent}for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text);\n`
    : `${sent}console.log(response.status, await response.json());\n`;
}

function formOf(form: Readonly<Record<string, string>>): string {
  const lines = Object.entries(form).map(([name, value]) => {
    const file = quoteJs(value.slice(1));
    return `form.append(${quoteJs(name)}, ${value.startsWith('@') ? `await openAsBlob(${file}), ${file}` : quoteJs(value)});\n`;
  });
  return `const form = new FormData();\n${lines.join('')}`;
}

/** Formats the request for the client package, which signs in and pays. Null if the request needs no credential. */
export function clientSampleOf(request: HttpRequest): Sample | null {
  const { credential, url } = request;
  if (credential === null) return null;
  const isKey = credential.kind === 'apiKey';
  const [imports, account] = isKey
    ? ['', quoteJs(credential.apiKey)]
    : ["import { privateKeyToAccount } from 'viem/accounts';\n", 'privateKeyToAccount(process.env.WALLET_KEY)'];
  const sent = fetchOf({ ...request, credential: null }, 'gateway.fetch');
  const [, files = '', rest = ''] = /^((?:import .*\n)*)\n?([^]*)$/.exec(sent) ?? [];
  return {
    language: 'client',
    family: null,
    label: 'turnpike-client',
    code: `${files}import { createTurnpike } from 'turnpike-client';\n${imports}\nconst gateway = createTurnpike({ url: ${quoteJs(new URL(url).origin)}, account: ${account} });\n${rest}`,
  };
}

function pythonOf(request: HttpRequest): string {
  const { verb, url, body, form, isStreamed, saveAs } = request;
  if (form !== undefined) return pythonFormOf(request, form);
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
      ? isStreamed
        ? ['with urlopen(request) as response:', '    for line in response:', '        print(line.decode(), end="")']
        : [
            'with urlopen(request) as response:',
            '    print(response.status, json.dumps(json.load(response), indent=2))',
          ]
      : [
          `with urlopen(request) as response, open(${JSON.stringify(saveAs)}, "wb") as file:`,
          '    file.write(response.read())',
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Needs the package `requests`, because Python's standard library cannot write multipart forms. */
function pythonFormOf(request: HttpRequest, form: Readonly<Record<string, string>>): string {
  const entries = (isFile: boolean, show: (value: string) => string) =>
    Object.entries(form)
      .filter(([, value]) => value.startsWith('@') === isFile)
      .map(([name, value]) => `${JSON.stringify(name)}: ${show(value)}`)
      .join(', ');
  return `${[
    'import requests',
    '',
    'response = requests.post(',
    `    ${JSON.stringify(request.url)},`,
    ...headersOf(request).map(([name, value]) => `    headers={${JSON.stringify(name)}: ${JSON.stringify(value)}},`),
    `    data={${entries(false, (value) => JSON.stringify(value))}},`,
    `    files={${entries(true, (value) => `open(${JSON.stringify(value.slice(1))}, "rb")`)}},`,
    ')',
    'print(response.status_code, response.json())',
  ].join('\n')}\n`;
}
