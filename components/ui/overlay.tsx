'use client';

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { HeldButton } from './held-button';
import { Slot } from './slot';

export interface OverlayState {
  open: boolean;
  setOpen: (open: boolean) => void;
  /** Control that opens the overlay; null if other code opens it. */
  trigger: RefObject<HTMLElement | null>;
  setTrigger: (control: HTMLElement | null) => void;
  panelId: string;
}

const Context = createContext<OverlayState | null>(null);

interface OverlayProps {
  /** If absent, the component stores this state itself. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
}

export function Overlay({ open: given, onOpenChange, children }: OverlayProps) {
  const [own, setOwn] = useState(false);
  const trigger = useRef<HTMLElement | null>(null);
  const setTrigger = useCallback((control: HTMLElement | null) => {
    trigger.current = control;
  }, []);
  const panelId = useId();
  const open = given ?? own;
  const state = useMemo<OverlayState>(() => {
    const setOpen = (next: boolean) => {
      setOwn(next);
      onOpenChange?.(next);
    };
    return { open, setOpen, trigger, setTrigger, panelId };
  }, [open, onOpenChange, setTrigger, panelId]);
  return <Context value={state}>{children}</Context>;
}

/** Returns the state of the surrounding overlay. @throws Error outside an overlay */
export function useOverlay(): OverlayState {
  const state = use(Context);
  if (state === null) throw new Error('No overlay.');
  return state;
}

interface OverlayTriggerProps extends ComponentProps<'button'> {
  asChild?: boolean;
  /** Called when the user hovers, focuses or presses the trigger. */
  preload: () => void;
}

export function OverlayTrigger({
  asChild = false,
  preload,
  onClick,
  onPointerEnter,
  onPointerDown,
  onFocus,
  ...props
}: OverlayTriggerProps) {
  const { open, setOpen, setTrigger, panelId } = useOverlay();
  const Element = asChild ? Slot : HeldButton;
  return (
    <Element
      type="button"
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-controls={open ? panelId : undefined}
      data-state={open ? 'open' : 'closed'}
      {...props}
      ref={setTrigger}
      onPointerEnter={both(preload, onPointerEnter)}
      onPointerDown={both(preload, onPointerDown)}
      onFocus={both(preload, onFocus)}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented) return;
        preload();
        setOpen(!open);
      }}
    />
  );
}

export function OverlayClose({ asChild = false, onClick, ...props }: ComponentProps<'button'> & { asChild?: boolean }) {
  const { setOpen } = useOverlay();
  const Element = asChild ? Slot : 'button';
  return (
    <Element
      type="button"
      {...props}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) setOpen(false);
      }}
    />
  );
}

function both<Event>(first: () => void, second: ((event: Event) => void) | undefined): (event: Event) => void {
  return (event) => {
    first();
    second?.(event);
  };
}
