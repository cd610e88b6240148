//! A self-contained drawing: an SVG file with its own style, light or dark as the reader prefers.
//!
//! It has no script and loads nothing; every text goes through `escape`. Colours are written out
//! instead of named by variables, because viewers outside browsers support no variables.

use std::fmt::Write as _;

use crate::escape::escape;

/// A drawing in progress.
pub(crate) struct Drawing {
    out: String,
}

const STYLE: &str = "\
text{font:13px system-ui,'Segoe UI',Roboto,Ubuntu,'DejaVu Sans',sans-serif;fill:#2a2622}
.title{font-size:17px;font-weight:600}.soft,.tick{fill:#6d655c}.tick{font-size:11.5px}.small{font-size:10.5px}
.bold{font-weight:600}.middle{text-anchor:middle}.end{text-anchor:end}
.paper{fill:#fbf9f6}.card{fill:#ffffff;stroke:#e3dcd2}.grid{stroke:#e3dcd2}.axis{stroke:#6d655c}
.curve{fill:none;stroke-width:2}.ring{fill:none;stroke:#2a2622;stroke-width:1.6}
.s0{stroke:#2f7378}.s1{stroke:#a85f22}.s2{stroke:#5a4fa0}.s3{stroke:#24703f}.s4{stroke:#a3286c}.s5{stroke:#5f6b2a}
.f0{fill:#2f7378}.f1{fill:#a85f22}.f2{fill:#5a4fa0}.f3{fill:#24703f}.f4{fill:#a3286c}.f5{fill:#5f6b2a}
.edge{stroke:#b9b0a4;stroke-width:.8}.ground{fill:#ffffff}.yes{fill:#2f9e57}.no{fill:#a09a92}
.frame{fill:none;stroke:#a09a92;stroke-width:.8}.minimal{fill:none;stroke:#2a2622;stroke-width:2}
.best{fill:none;stroke:#b3541e;stroke-width:3.5}
@media (prefers-color-scheme:dark){
text{fill:#ebe5dc}.soft,.tick{fill:#a89f93}
.paper{fill:#191715}.card{fill:#211f1c;stroke:#3a3631}.grid{stroke:#3a3631}.axis{stroke:#a89f93}
.ring{stroke:#ebe5dc}
.s0{stroke:#6db5b6}.s1{stroke:#dc9a5d}.s2{stroke:#a79df0}.s3{stroke:#86cf9c}.s4{stroke:#ee93c4}.s5{stroke:#c2cf7d}
.f0{fill:#6db5b6}.f1{fill:#dc9a5d}.f2{fill:#a79df0}.f3{fill:#86cf9c}.f4{fill:#ee93c4}.f5{fill:#c2cf7d}
.edge{stroke:#57514a}.ground{fill:#211f1c}.yes{fill:#2f8f52}.no{fill:#6a645c}
.frame{stroke:#6a645c}.minimal{stroke:#ebe5dc}.best{stroke:#f0a050}}
";

impl Drawing {
    /// An empty drawing of a size, with a description for people who can't see it.
    pub(crate) fn open(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (escape(title), escape(description));
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-labelledby=\"t d\">\n\
             <title id=\"t\">{title}</title><desc id=\"d\">{description}</desc>\n<style>\n\
             {STYLE}</style>\n\
             <rect class=\"paper\" width=\"{width:.0}\" height=\"{height:.0}\"/>\n"
        );
        Drawing { out }
    }

    /// Finish the drawing and return its text.
    pub(crate) fn close(mut self) -> String {
        self.out.push_str("</svg>\n");
        self.out
    }

    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), words: &str) {
        let (x, y) = at;
        let words = escape(words);
        let _ =
            writeln!(self.out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>");
    }

    /// Draw text from bottom to top, centred.
    pub(crate) fn upright(&mut self, class: &str, at: (f64, f64), words: &str) {
        let (x, y) = at;
        let words = escape(words);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" transform=\"rotate(-90 {x:.1} \
                {y:.1})\">{words}</text>"
        );
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.out,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    pub(crate) fn path(&mut self, class: &str, dashes: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dashes = if dashes.is_empty() {
            String::new()
        } else {
            format!(" stroke-dasharray=\"{dashes}\"")
        };
        let points = points.join(" ");
        let _ = writeln!(self.out, "<polyline class=\"{class}\"{dashes} points=\"{points}\"/>");
    }

    /// Draw the strokes of a path whose unit is a cell of a matrix, starting at a corner. Strokes
    /// are a little wider than a cell, so that single ones are visible.
    pub(crate) fn dots(&mut self, class: &str, corner: (f64, f64), scale: (f64, f64), path: &str) {
        let ((x, y), (across, down)) = (corner, scale);
        let width = (1.2 / down.max(1e-9)).max(1.0);
        let _ = writeln!(
            self.out,
            "<path class=\"{class}\" transform=\"translate({x:.1} {y:.1}) scale({across:.4} \
                {down:.4})\" \
             stroke-width=\"{width:.2}\" fill=\"none\" d=\"{path}\"/>"
        );
    }

    /// Draw a rectangle. `place` is x, y, width and height.
    pub(crate) fn rect(&mut self, class: &str, place: (f64, f64, f64, f64), opacity: f64) {
        let (x, y, width, height) = place;
        let opacity = if opacity >= 1.0 {
            String::new()
        } else {
            format!(" fill-opacity=\"{:.2}\"", opacity.max(0.0))
        };
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
                height=\"{height:.1}\" \
             rx=\"4\"{opacity}/>"
        );
    }

    pub(crate) fn circle(&mut self, class: &str, at: (f64, f64), radius: f64) {
        let (x, y) = at;
        let _ = writeln!(
            self.out,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        );
    }

    /// Draw a mark whose shape tells series apart without colour. The hint is its tooltip.
    pub(crate) fn mark(&mut self, series: usize, at: (f64, f64), hint: &str) {
        let (x, y) = at;
        let corners: &[(f64, f64)] = match series % 4 {
            0 => &[],
            1 => &[(-4.2, -4.2), (4.2, -4.2), (4.2, 4.2), (-4.2, 4.2)],
            2 => &[(0.0, -5.6), (5.0, 4.0), (-5.0, 4.0)],
            _ => &[(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)],
        };
        let (class, hint) = (format!("f{}", series % 6), escape(hint));
        let _ = if corners.is_empty() {
            writeln!(
                self.out,
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
                    r=\"4.6\"><title>{hint}</title></circle>"
            )
        } else {
            let corners: Vec<String> =
                corners.iter().map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy)).collect();
            let corners = corners.join(" ");
            writeln!(
                self.out,
                "<polygon class=\"{class}\" points=\"{corners}\"><title>{hint}</title></polygon>"
            )
        };
    }

    /// Begin a group with a tooltip.
    pub(crate) fn begin(&mut self, hint: &str) {
        let _ = writeln!(self.out, "<g><title>{}</title>", escape(hint));
    }

    /// End the current group.
    pub(crate) fn end(&mut self) {
        self.out.push_str("</g>\n");
    }
}
