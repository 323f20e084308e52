'use client';

import { Button } from '@/components/ui/button';
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { type Theme, THEMES, useTheme } from '@/lib/browser/theme';
import { shellWords } from '@/lib/browser/words/shell';
import { Check, Monitor, Moon, Sun } from 'lucide-react';

const LOOKS = {
  light: { Icon: Sun, name: shellWords.theme.looks.light },
  dark: { Icon: Moon, name: shellWords.theme.looks.dark },
  system: { Icon: Monitor, name: shellWords.theme.looks.system },
} as const satisfies Record<Theme, unknown>;

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const { Icon } = LOOKS[theme];
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button tone="quiet" size="icon" aria-label={shellWords.theme.chosen(LOOKS[theme].name)}>
          <Icon aria-hidden />
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label={shellWords.theme.name} className="grid w-44 gap-0.5 p-1">
        {THEMES.map((choice) => (
          <ThemeChoice key={choice} choice={choice} chosen={choice === theme} onChoose={() => setTheme(choice)} />
        ))}
      </PopoverContent>
    </Popover>
  );
}

function ThemeChoice({ choice, chosen, onChoose }: { choice: Theme; chosen: boolean; onChoose: () => void }) {
  const { Icon, name } = LOOKS[choice];
  return (
    <PopoverClose asChild>
      <Button tone="quiet" aria-pressed={chosen} onClick={onChoose} className="justify-start px-2 font-normal text-ink">
        <Icon aria-hidden className="text-dim" />
        <span className="flex-1 text-left">{name}</span>
        {chosen && <Check aria-hidden className="text-amber-ink" />}
      </Button>
    </PopoverClose>
  );
}
