import { clientSampleOf, httpSamplesOf, type HttpRequest } from '@/components/samples/http-request';
import type { Sample } from '@/components/samples/sample';
import { recordOf } from '@/lib/protocol/json-record';
import type { ApiOperation } from './api-description';
import { type CurlOptions, operationPath } from './operation-request';

/**
 * Returns an operation's request in TypeScript, in Python and with the client package. The page itself has the curl
 * sample.
 */
export function operationSamples(
  operation: ApiOperation,
  { baseUrl, values, credential, body }: CurlOptions,
): readonly Sample[] {
  const answer = operation.responses.find(({ status }) => status.startsWith('2'))?.contents[0]?.mediaType ?? '';
  const isForm = operation.body?.mediaType === 'multipart/form-data';
  const request: HttpRequest = {
    verb: operation.verb as HttpRequest['verb'],
    url: baseUrl + operationPath(operation, values),
    credential: operation.credentials.length === 0 ? null : credential,
    ...(body === undefined ? {} : isForm ? { form: body as Readonly<Record<string, string>> } : { body }),
    isStreamed: recordOf(body)['stream'] === true,
    ...(answer.startsWith('audio/') && { saveAs: 'answer.mp3' }),
  };
  const client = clientSampleOf(request);
  return [...httpSamplesOf(request).slice(1), ...(client === null ? [] : [client])];
}
