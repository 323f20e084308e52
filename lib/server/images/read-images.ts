import { apiError } from '@/lib/protocol/errors';
import { type ImageFormat, imageFormatOf } from '@/lib/protocol/images/image-requests';
import { parsedRecord, recordOf } from '@/lib/protocol/json-record';
import type { UpstreamAnswer } from '../upstreams/models/model-exchange';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Parses the pictures of an answer in OpenAI's format. Recognizes a format by its first bytes, without decoding.
 * @param count required number of pictures
 * @throws ApiError MODEL_ANSWER_INVALID for a wrong number or format, or for URLs instead of pictures
 */
export function readImages({ body }: Pick<UpstreamAnswer, 'body'>, count: number, format: ImageFormat): Buffer[] {
  const data: unknown = parsedRecord(body.toString('utf8'))?.['data'];
  if (!Array.isArray(data) || data.length !== count)
    throw invalid(`The model's answer does not have the requested number of pictures, ${count}.`);
  return (data as unknown[]).map((each) => {
    const { b64_json: text } = recordOf(each);
    if (typeof text !== 'string' || !BASE64.test(text))
      throw invalid("The model's answer contains something other than a Base64 picture.");
    const bytes = Buffer.from(text, 'base64');
    if (imageFormatOf(bytes) !== format)
      throw invalid(`The model's answer contains a picture that is not in the format ${format}.`);
    return bytes;
  });
}

function invalid(message: string) {
  return apiError('MODEL_ANSWER_INVALID', { message });
}
