// Trials that move without the simulator: frames packed in words of two bytes.

import type { Contact, Frame } from "../package/src/engine";

interface FilmFacts {
  scale: {
    time_s: number;
    length_mm: number;
    part_theta_rad: number;
    normal_rad: number;
    force_n: number;
  };
  films: { trial: number; begins_at: number; frames: number; story: string }[];
}

export interface Film {
  trial: number;
  story: string;
  frames: Frame[];
}

/** Reads words one after the other. */
class Words {
  constructor(
    private readonly view: DataView,
    private at: number,
  ) {}
  word(): number {
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }
  /** A fraction of a scale. */
  of(scale: number): number {
    this.at += 2;
    return (this.view.getInt16(this.at - 2, true) / 32767) * scale;
  }
}

export class Films {
  private readonly byTrial = new Map<number, FilmFacts["films"][number]>();
  private readonly view: DataView;

  constructor(
    private readonly facts: FilmFacts,
    frames: Uint8Array,
  ) {
    this.view = new DataView(frames.buffer, frames.byteOffset, frames.byteLength);
    for (const film of facts.films) this.byTrial.set(film.trial, film);
  }

  get count(): number {
    return this.byTrial.size;
  }

  has(trial: number): boolean {
    return this.byTrial.has(trial);
  }

  film(trial: number): Film | null {
    const film = this.byTrial.get(trial);
    if (!film) return null;
    const words = new Words(this.view, 2 * film.begins_at);
    const frames = Array.from({ length: film.frames }, () => this.frame(words));
    return { trial, story: film.story, frames };
  }

  private frame(words: Words): Frame {
    const { scale } = this.facts;
    const time_s = words.of(scale.time_s);
    const part: Frame["part"] = [
      words.of(scale.length_mm),
      words.of(scale.length_mm),
      words.of(scale.part_theta_rad),
    ];
    const jaws: Frame["jaws"] = [words.of(scale.length_mm), words.of(scale.length_mm)];
    const gripper: Frame["gripper"] = [
      words.of(scale.length_mm),
      words.of(scale.length_mm),
      words.of(scale.part_theta_rad),
    ];
    const phase = words.word();
    const contacts = Array.from({ length: words.word() }, () => this.contact(words));
    return { time_s, part, jaws, gripper, phase, contacts };
  }

  private contact(words: Words): Contact {
    const { scale } = this.facts;
    const kind = words.word();
    const x_mm = words.of(scale.length_mm);
    const y_mm = words.of(scale.length_mm);
    const angle = words.of(scale.normal_rad);
    return {
      side: kind % 4,
      x_mm,
      y_mm,
      normal_x: Math.cos(angle),
      normal_y: Math.sin(angle),
      normal_force_n: words.of(scale.force_n),
      friction_force_n: words.of(scale.force_n),
      grip: Math.floor(kind / 4),
    };
  }
}
