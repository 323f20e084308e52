import { STATUS_CODES } from 'node:http';
import { NO_STORE } from '../endpoint';

const CACHE_CONTROL = `cache-control: ${NO_STORE}\r\n`;

/** What a header's value may be: visible ASCII. Anything else could end the header early. */
const VALUE = /^[\x20-\x7e]*$/;

/**
 * The head of an answer as node:http writes it.
 * @param bodyBytes null for a body in chunks
 * @param constant lines that are the same for every answer, each with its end
 * @param reason of the status line; the usual one unless given
 * @throws Error for a value that is no header's.
 */
export function headText(
  status: number,
  headers: Readonly<Record<string, string>>,
  bodyBytes: number | null,
  constant: string,
  reason?: string,
): string {
  if (reason !== undefined && !VALUE.test(reason)) throw new Error('The reason of a status cannot be sent.');
  let text = status === 200 ? 'HTTP/1.1 200 OK\r\n' : `HTTP/1.1 ${status} ${reason ?? STATUS_CODES[status] ?? ''}\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!VALUE.test(value)) throw new Error(`The value of the header ${name} cannot be sent.`);
    text += `${name}: ${value}\r\n`;
  }
  if (!('cache-control' in headers)) text += CACHE_CONTROL;
  const length = bodyBytes === null ? 'Transfer-Encoding: chunked' : `content-length: ${bodyBytes}`;
  return `${text}${length}\r\n${constant}Date: ${dateText()}\r\n\r\n`;
}

let second = 0;
let text = '';

/** The date of this second (RFC 9110, section 6.6.1). */
function dateText(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}
