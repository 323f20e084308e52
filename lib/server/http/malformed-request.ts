import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ApiError, apiError, requestError } from '@/lib/protocol/errors';
import { errorReply } from './error-reply';
import { newRequestId } from './request-id';

/** Answers with an API error if node:http cannot parse a request, and closes the connection. */
export function refuseMalformedRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else refuse(faultOf(error.code), socket);
}

export function refuse(error: ApiError, socket: Duplex): void {
  const { status, body } = errorReply(error);
  const text = String(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${newRequestId()}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function faultOf(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return apiError('HEADERS_TOO_LARGE');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return apiError('REQUEST_TIMEOUT', { message: 'The request did not arrive in time.' });
  return requestError('MALFORMED_REQUEST');
}
