'use client';

import { AccountQuestion, PayerControl } from '@/components/paying/payer-control';
import { BrandMark } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { onDemand } from '@/components/ui/on-demand';
import { Popover, PopoverClose, PopoverContent, PopoverTrigger } from '@/components/ui/popover';
import { OPERATOR_PATH } from '@/lib/browser/credential/credential';
import { CONSOLE_PAGES, type ConsolePage } from '@/lib/browser/page/console-pages';
import { type Theme, THEMES, useTheme } from '@/lib/browser/page/theme';
import { useBrand } from '@/lib/browser/reads/settings';
import { Check, Monitor, Moon, Search, Sun } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { shellWords } from './words';

export function TopBar() {
  const path = usePathname();
  const { name } = useBrand();
  const page: Pick<ConsolePage, 'title' | 'shortTitle'> | undefined =
    path === OPERATOR_PATH
      ? { title: shellWords.navigation.operator }
      : CONSOLE_PAGES.find(({ href }) => href === path);
  return (
    <header className="flex h-12 shrink-0 items-center short:h-11 gap-1 border-b sm:gap-2 border-line px-3 lg:px-4">
      <BrandMark className="size-5.5 shrink-0 max-[24rem]:hidden md:hidden" />
      <p className="min-w-0 flex-1 truncate text-base font-semibold tracking-tight sm:text-lg">
        <span className="sm:hidden">{page?.shortTitle ?? page?.title ?? name}</span>
        <span className="hidden sm:inline">{page?.title ?? name}</span>
      </p>
      <CommandPaletteButton />
      <PayerControl />
      <ThemeSwitch />
      <AccountQuestion />
    </header>
  );
}

const CommandPalette = onDemand(() => import('./command-palette').then((module) => module.CommandPalette), {
  floats: true,
});

function CommandPaletteButton() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      event.stopPropagation();
      setOpen((wasOpen) => !wasOpen);
    };
    // Listens in the capture phase, because the editor has its own Ctrl K.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
  return (
    <>
      <Button
        tone="quiet"
        onPointerEnter={CommandPalette.preload}
        onFocus={CommandPalette.preload}
        onClick={() => setOpen(true)}
        aria-label={shellWords.search.does}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Search aria-hidden />
        <span className="hidden sm:inline">{shellWords.search.button}</span>{' '}
        <Kbd className="hidden md:inline-flex">{shellWords.search.keys}</Kbd>
      </Button>
      {open && <CommandPalette open={open} onOpenChange={setOpen} />}
    </>
  );
}

const LOOKS = {
  light: { Icon: Sun, name: shellWords.theme.looks.light },
  dark: { Icon: Moon, name: shellWords.theme.looks.dark },
  system: { Icon: Monitor, name: shellWords.theme.looks.system },
} as const satisfies Record<Theme, unknown>;

function ThemeSwitch() {
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
