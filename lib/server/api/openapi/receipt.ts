import { z } from 'zod';

export const RECEIPT_PARAMETER = {
  name: 'X-Receipt',
  in: 'header',
  required: false,
  description: 'true to have a signed receipt made of the call, for GET /receipts/{request_id}',
  schema: z.enum(['true']),
} as const;

export const SIGNED_RECEIPT_HEADER = {
  'X-Receipt': 'Path of the signed receipt, which exists when the answer has ended; only with X-Receipt: true',
} as const;
