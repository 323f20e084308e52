import type { Duplex } from 'node:stream';
import { newRequestId } from './request-id';

/**
 * Answers what node:http could not read as a request, in the form of every other error, and closes the connection:
 * such a request never reaches an endpoint.
 */
export function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason, message, hint } = faultOf(error.code);
  const body = JSON.stringify({ error: message, code: reason, hint });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newRequestId()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function faultOf(code: string | undefined): { status: string; reason: string; message: string; hint: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: '431 Request Header Fields Too Large', reason: 'HEADERS_TOO_LARGE', message: 'The request headers are too large.', hint: 'Keep all headers together within 16 KB.' };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: '408 Request Timeout', reason: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time.', hint: 'Send the whole request at once.' };
  }
  return { status: '400 Bad Request', reason: 'MALFORMED_REQUEST', message: 'This is not a valid HTTP request.', hint: 'Check the request line and the headers.' };
}
