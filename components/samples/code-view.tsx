'use client';

import { Button } from '@/components/ui/button';
import { Choices } from '@/components/ui/choices';
import { CopyButton } from '@/components/ui/copy-button';
import { CREDENTIAL_PLACEHOLDER, maskCredential } from '@/lib/browser/credential/credential';
import type { Sample } from './sample';
import type { CallCredential } from '@/lib/client';
import { samplesWords } from './words';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';

interface CodeViewProps {
  /** Null shows a placeholder. */
  credential: CallCredential | null;
  samplesWith: (credential: CallCredential) => readonly Sample[];
  isPublic?: boolean;
}

/** Shows a request as code. Masks the credential until revealed; copied code contains the credential. */
export function CodeView({ credential, samplesWith, isPublic = false }: CodeViewProps) {
  const [language, setLanguage] = useState<Sample['language']>('curl');
  const [isShown, setIsShown] = useState(false);
  const whole = credential ?? CREDENTIAL_PLACEHOLDER;
  const samples = samplesWith(credential === null || isShown ? whole : maskCredential(whole));
  const sample = samples.find((candidate) => candidate.language === language) ?? samples[0];
  const copyText = () => samplesWith(whole).find((candidate) => candidate.language === sample?.language)?.code ?? '';
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line px-3 py-1.5 lg:px-4">
        <Choices
          label={samplesWords.language}
          values={samples.map((each) => each.language)}
          chosen={sample?.language ?? null}
          nameOf={(each) => {
            const { family, label } = samples.find((candidate) => candidate.language === each) ?? {};
            return (
              <span>
                {family && <span className="hidden sm:inline">{family} · </span>}
                {label}
              </span>
            );
          }}
          onChoose={setLanguage}
          className="flex-1"
        />
        {credential !== null && !isPublic && (
          <Button size="sm" tone="quiet" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
            {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            <span className="sr-only sm:not-sr-only">
              {samplesWords.show(isShown)} {samplesWords.credential(whole.kind)}
            </span>
          </Button>
        )}
        <CopyButton
          text={copyText}
          label={samplesWords.copy}
          title={samplesWords.copyMeaning(isPublic)}
          tone="outline"
        />
      </div>
      <pre
        tabIndex={0}
        aria-label={samplesWords.code(sample?.label ?? '')}
        className="figures min-h-48 flex-1 overflow-auto p-3 outline-offset-[-2px] text-xs leading-5 lg:p-4"
      >
        {sample?.code}
      </pre>
    </div>
  );
}
