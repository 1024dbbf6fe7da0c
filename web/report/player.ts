// Plays frames: play and pause, a place in time, a speed.

import { h } from "./dom";
import type { Frame } from "../package/src/engine";

const SPEEDS = [
  { value: 1, name: "real time" },
  { value: 0.5, name: "1/2" },
  { value: 0.2, name: "1/5" },
  { value: 0.1, name: "1/10" },
  { value: 0.04, name: "1/25" },
];

const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

/** The frame at a time: poses between two frames are mixed, contacts are those of the later one. */
export function frameAt(frames: Frame[], time_s: number): { frame: Frame; passed: number } {
  let k = 1;
  while (k < frames.length && frames[k].time_s < time_s) ++k;
  if (k >= frames.length) return { frame: frames[frames.length - 1], passed: frames.length };
  const [a, b] = [frames[k - 1], frames[k]];
  const t = b.time_s > a.time_s ? (time_s - a.time_s) / (b.time_s - a.time_s) : 1;
  if (t >= 1) return { frame: b, passed: k + 1 };
  return {
    passed: k,
    frame: {
      time_s,
      part: [0, 1, 2].map((n) => mix(a.part[n], b.part[n], t)) as Frame["part"],
      jaws: [mix(a.jaws[0], b.jaws[0], t), mix(a.jaws[1], b.jaws[1], t)],
      gripper: [0, 1, 2].map((n) => mix(a.gripper[n], b.gripper[n], t)) as Frame["gripper"],
      phase: a.phase,
      contacts: t > 0.5 ? b.contacts : a.contacts,
    },
  };
}

export class Player {
  readonly element: HTMLElement;
  private frames: Frame[] = [];
  private time_s = 0;
  private playing = false;
  private lastTick = 0;
  private readonly playButton: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly speed: HTMLSelectElement;
  private readonly clock = h("output", { class: "clock" });

  constructor(private readonly show: (frame: Frame, passed: number) => void) {
    this.playButton = h("button", { type: "button", class: "play", click: () => this.toggle() }, "Play");
    this.scrub = h("input", {
      type: "range",
      min: 0,
      max: 1000,
      step: 1,
      "aria-label": "Time of the trial",
      input: () => {
        this.pause();
        this.goTo((Number(this.scrub.value) / 1000) * this.end);
      },
    });
    this.speed = h(
      "select",
      { "aria-label": "Speed" },
      ...SPEEDS.map(({ value, name }) => h("option", { value }, name)),
    );
    this.speed.value = "0.2";
    this.element = h("div", { class: "player" }, this.playButton, this.scrub, this.clock, this.speed);
  }

  private get end(): number {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1].time_s : 0;
  }

  /** Takes the frames of a trial; shows the moment `at_s`, or the start. */
  load(frames: Frame[], at_s = 0): void {
    this.pause();
    this.frames = frames;
    this.goTo(at_s);
  }

  private goTo(time_s: number): void {
    if (this.frames.length === 0) return;
    this.time_s = Math.min(Math.max(time_s, 0), this.end);
    const { frame, passed } = frameAt(this.frames, this.time_s);
    this.show(frame, passed);
    this.scrub.value = String(this.end > 0 ? Math.round((1000 * this.time_s) / this.end) : 0);
    this.scrub.setAttribute("aria-valuetext", `${this.time_s.toFixed(3)} s`);
    const phases = this.frames[this.frames.length - 1].phase > 0 ? `, phase ${frame.phase + 1}` : "";
    this.clock.textContent = `${this.time_s.toFixed(3)} s${phases}`;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.frames.length === 0) return;
    if (this.time_s >= this.end) this.goTo(0);
    this.playing = true;
    this.playButton.textContent = "Pause";
    this.lastTick = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause(): void {
    this.playing = false;
    this.playButton.textContent = "Play";
  }

  private tick(now: number): void {
    if (!this.playing) return;
    const passed_s = (Math.max(now - this.lastTick, 0) / 1000) * Number(this.speed.value);
    this.lastTick = now;
    this.goTo(this.time_s + passed_s);
    if (this.time_s >= this.end) this.pause();
    else requestAnimationFrame((next) => this.tick(next));
  }
}
