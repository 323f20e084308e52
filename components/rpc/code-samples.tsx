'use client';

import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import type { SampledRequest } from '@/lib/browser/samples/sample';
import { type Sample, samplesOf } from '@/lib/browser/samples';
import { CREDENTIAL_PLACEHOLDER, maskCredential } from '@/lib/browser/credential';
import type { ChainKind } from '@/lib/protocol/networks';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';

/** The request in code. The credential is masked on the screen until asked for, and whole in what is copied. */
export function CodeSamples({ request, kind }: { request: SampledRequest; kind: ChainKind }) {
  const [language, setLanguage] = useState<Sample['language']>('curl');
  const [keyShown, setKeyShown] = useState(false);
  const whole = request.credential ?? CREDENTIAL_PLACEHOLDER;
  const masked = { ...request, credential: request.credential === null || keyShown ? whole : maskCredential(whole) };
  const samples = samplesOf(masked, kind);
  const sample = samples.find((candidate) => candidate.language === language) ?? samples[0];
  const copyText = () => samplesOf({ ...request, credential: whole }, kind).find((candidate) => candidate.language === sample?.language)?.code ?? '';
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line px-3 py-1.5 lg:px-4">
        <div role="group" aria-label="Language" className="flex flex-1 flex-wrap gap-1">
          {samples.map(({ language: each, family, label }) => (
            <Button key={each} size="sm" tone="quiet" aria-pressed={each === sample?.language} className="aria-pressed:bg-hover aria-pressed:text-ink" onClick={() => setLanguage(each)}>
              {family && <span className="hidden sm:inline">{family} ·</span>}
              {label}
            </Button>
          ))}
        </div>
        {request.credential !== null && (
          <Button size="sm" tone="quiet" aria-pressed={keyShown} onClick={() => setKeyShown(!keyShown)}>
            {keyShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            <span className="sr-only sm:not-sr-only">{keyShown ? 'Mask' : 'Show'} the {whole.kind === 'apiKey' ? 'key' : 'sign-in'}</span>
          </Button>
        )}
        <CopyButton text={copyText} label="Copy" title="Copies the code with the whole credential in it" tone="outline" />
      </div>
      <pre tabIndex={0} aria-label={`The request in ${sample?.label}`} className="figures min-h-48 flex-1 overflow-auto p-3 text-xs leading-5 lg:p-4">
        {sample?.code}
      </pre>
    </div>
  );
}
