import { ErrorSection } from '@/components/reference/error-section';
import { MethodSection } from '@/components/reference/method-section';
import { Reference } from '@/components/reference/reference';
import { type ErrorCode, ERRORS } from '@/lib/protocol/errors';
import { METHODS } from '@/lib/protocol/rpc-methods';
import type { Metadata } from 'next';

export const metadata: Metadata = { title: 'API reference' };

const CODES = Object.keys(ERRORS) as ErrorCode[];

export default function ReferencePage() {
  return <Reference methods={<MethodSection methods={METHODS} />} methodCount={METHODS.length} errors={<ErrorSection errors={CODES} />} errorCount={CODES.length} />;
}
