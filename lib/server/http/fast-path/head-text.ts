import { STATUS_CODES } from 'node:http';
import { NO_STORE } from '../endpoint';

const CACHE_CONTROL = `cache-control: ${NO_STORE}\r\n`;

/** Valid header value: visible ASCII and spaces, which cannot end the header early. */
const VALUE = /^[\x20-\x7e]*$/;

/**
 * Writes an answer's head as node:http does.
 * @param bodyBytes null for a body in chunks
 * @param constant lines of every answer, with line ends
 * @param reason phrase of the status line. Default: the standard phrase
 * @throws Error for an invalid header value
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

/** Returns the Date header of the current second (RFC 9110, section 6.6.1). */
function dateText(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}
