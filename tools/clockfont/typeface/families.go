package typeface

import "slices"

// Split says what a family is for. No family serves two purposes, nor do families that were drawn after one another.
type Split string

// The purposes.
const (
	Train  Split = "train"  // the classifier learns from them
	Limits Split = "limits" // what is sure enough is chosen on them
	Judge  Split = "judge"  // nothing is learnt from them: the figures come from them
)

// Family is one family of fonts in a package of Debian's.
type Family struct {
	Name    string
	Package string
	Split   Split
	Files   []string // patterns of file names
}

// Families returns all of them.
func Families() []Family {
	return []Family{
		{"DejaVu Sans", "fonts-dejavu-core", Train, []string{"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"}},
		{"DejaVu Sans Mono", "fonts-dejavu-core", Train, []string{"DejaVuSansMono*.ttf"}},
		{"DejaVu Sans Condensed", "fonts-dejavu-extra", Train, []string{"DejaVuSansCondensed*.ttf"}},
		{"Hack", "fonts-hack", Train, []string{"Hack-*.ttf"}},
		{"Verana", "fonts-adf-verana", Train, []string{"VeranaSans*.otf"}},
		{"Liberation Sans", "fonts-liberation2", Train, []string{"LiberationSans-*.ttf"}},
		{"Liberation Mono", "fonts-liberation2", Train, []string{"LiberationMono-Bold.ttf"}},
		{"Nimbus Sans", "fonts-urw-base35", Train, []string{"NimbusSans*.otf"}},
		{"URW Gothic", "fonts-urw-base35", Train, []string{"URWGothic*.otf"}},
		{"FreeSans", "fonts-freefont-ttf", Train, []string{"FreeSans*.ttf"}},
		{"Switzera", "fonts-adf-switzera", Train, []string{"SwitzeraADF-*.otf"}},
		{"Roboto", "fonts-roboto-unhinted", Train, []string{"Roboto-*.ttf", "RobotoCondensed-*.ttf"}},
		{"Roboto Slab", "fonts-roboto-slab", Train, []string{"RobotoSlab-*.otf"}},
		{"Open Sans", "fonts-open-sans", Train, []string{"OpenSans-*.ttf"}},
		{"Noto Mono", "fonts-noto-mono", Train, []string{"NotoSansMono-*.ttf"}},
		{"Gillius", "fonts-adf-gillius", Train, []string{"GilliusADF-*.otf"}},
		{"Universalis", "fonts-adf-universalis", Train, []string{"UniversalisADFStd-*.otf"}},
		{"Ikarius", "fonts-adf-ikarius", Train, []string{"IkariusADFNo2Std-*.otf"}},
		{"Mekanus", "fonts-adf-mekanus", Train, []string{"MekanusADFStd-*.otf"}},
		{"Cabin", "fonts-cabin", Train, []string{"Cabin-*.otf"}},
		{"Cantarell", "fonts-cantarell", Train, []string{"Cantarell-*.otf"}},
		{"Comfortaa", "fonts-comfortaa", Train, []string{"Comfortaa-*.ttf"}},
		{"Dosis", "fonts-dosis", Train, []string{"Dosis-*.otf"}},
		{"Eurofurence", "fonts-eurofurence", Train, []string{"eurof55.ttf", "eurof75.ttf"}},
		{"Fira Code", "fonts-firacode", Train, []string{"FiraCode-*.ttf"}},
		{"Inconsolata", "fonts-inconsolata", Train, []string{"Inconsolata.otf"}},
		{"Jura", "fonts-jura", Train, []string{"Jura-*.otf"}},
		{"League Spartan", "fonts-league-spartan", Train, []string{"LeagueSpartan-*.otf"}},
		{"Quicksand", "fonts-quicksand", Train, []string{"Quicksand-*.ttf"}},
		{"Yanone Kaffeesatz", "fonts-yanone-kaffeesatz", Train, []string{"YanoneKaffeesatz-*.otf"}},
		{"Play", "fonts-play", Train, []string{"Play-*.ttf"}},
		{"Oxygen", "fonts-oxygen", Train, []string{"Oxygen*.ttf"}},
		{"Tuffy", "fonts-tuffy", Train, []string{"Tuffy*.ttf"}},
		{"JetBrains Mono", "fonts-jetbrains-mono", Train, []string{"JetBrainsMono-*.ttf"}},
		{"Roadgeek", "fonts-roadgeek", Train, []string{"RG2014*.ttf"}},
		{"DSEG", "fonts-dseg", Train, []string{"DSEG7Classic-Bold.ttf", "DSEG7Modern-Bold.ttf"}},
		{"M+", "fonts-mplus", Train, []string{"Mplus1-*.otf"}},
		{"osifont", "fonts-osifont", Train, []string{"osifont*.ttf"}},
		{"Anonymous Pro", "fonts-anonymous-pro", Train, []string{"Anonymous Pro*.ttf"}},
		{"Dustismo", "fonts-dustin", Train, []string{"Dustismo*.ttf"}},
		{"Hermit", "fonts-hermit", Train, []string{"Hermit-*.otf"}},
		{"Averia Sans", "fonts-averia-sans-gwf", Train, []string{"AveriaSansGWF-*.ttf"}},
		{"Millimetre", "fonts-millimetre", Train, []string{"millimetre*.otf"}},
		{"Inter", "fonts-inter", Train, []string{"Inter-*.otf"}},
		{"Sora", "fonts-sora", Train, []string{"Sora-*.otf"}},
		{"Manrope", "fonts-manrope", Train, []string{"Manrope-*.ttf"}},
		{"Clear Sans", "fonts-clear-sans", Train, []string{"ClearSans-*.ttf"}},
		{"PT Sans", "fonts-paratype", Train, []string{"PTS*.ttf", "PTN*.ttf"}},
		{"League Mono", "fonts-league-mono", Train, []string{"LeagueMono-Regular.otf", "LeagueMono-Bold.otf", "LeagueMono-CondensedBold.otf", "LeagueMono-NarrowBold.otf"}},
		{"Routed Gothic", "fonts-routed-gothic", Train, []string{"routed-gothic*.ttf"}},
		{"Tiresias", "fonts-tiresias", Train, []string{"tiresias_infofont*.ttf", "tiresias_screenfont*.ttf"}},
		{"Allerta", "fonts-allerta", Train, []string{"allerta_medium.otf"}},
		{"Monofur", "fonts-monofur", Train, []string{"monof55.ttf"}},

		{"Lato", "fonts-lato", Limits, []string{"Lato-*.ttf"}},
		{"Carlito", "fonts-crosextra-carlito", Limits, []string{"Carlito-*.ttf"}},
		{"National Park", "fonts-national-park", Limits, []string{"NationalPark-*.otf"}},
		{"B612", "fonts-b612", Limits, []string{"B612-*.otf"}},
		{"Mononoki", "fonts-mononoki", Limits, []string{"mononoki-*.ttf"}},
		{"Libris", "fonts-adf-libris", Limits, []string{"LibrisADFStd-*.otf"}},
		{"Okolaks", "fonts-okolaks", Limits, []string{"okolaks*.ttf"}},
		{"Karla", "fonts-karla", Limits, []string{"Karla-*.otf"}},
		{"Bebas Neue", "fonts-bebas-neue", Limits, []string{"BebasNeue-*.otf"}},
		{"OSP-DIN", "fonts-opendin", Limits, []string{"OSP-DIN.ttf"}},

		{"Gemunu Libre", "fonts-gemunu-libre", Judge, []string{"GemunuLibre-*.otf"}},
		{"BIZ UD Gothic", "fonts-morisawa-bizud-gothic", Judge, []string{"BIZUD*.ttf"}},
		{"Nanum", "fonts-nanum", Judge, []string{"NanumGothic.ttf", "NanumGothicBold.ttf", "NanumBarun*.ttf", "NanumSquare[BR].ttf"}},
		{"Beteckna", "fonts-beteckna", Judge, []string{"BetecknaGS*Bold.ttf"}},
		{"Agave", "fonts-agave", Judge, []string{"agave-*.ttf"}},
		{"Fantasque", "fonts-fantasque-sans", Judge, []string{"FantasqueSansMono-*.otf"}},
		{"Monoid", "fonts-monoid-halftight", Judge, []string{"Monoid-*.ttf"}},
		{"Manjari", "fonts-smc-manjari", Judge, []string{"Manjari-*.otf"}},
		{"Gayathri", "fonts-smc-gayathri", Judge, []string{"Gayathri-*.otf"}},
		{"Andika", "fonts-sil-andika", Judge, []string{"Andika-*.ttf"}},
		{"Loma", "fonts-tlwg-loma-otf", Judge, []string{"Loma*.otf"}},
		{"Neohellenic", "fonts-gfs-neohellenic", Judge, []string{"GFSNeohellenic*.otf"}},
		{"Motoya L Cedar", "fonts-motoya-l-cedar", Judge, []string{"MTLc3m.ttf"}},
		{"Biolinum", "fonts-linuxlibertine", Judge, []string{"LinBiolinum_R*.otf"}},
	}
}

// Packages lists the packages of all families.
func Packages() []string {
	var out []string
	for _, f := range Families() {
		out = append(out, f.Package)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// leftOut are weights and styles that no broadcaster sets a clock in.
func leftOut() []string {
	return []string{"Italic", "italic", "Oblique", "Thin", "ExtraLight", "UltraLight", "Hairline", "Outline", "-It", "Ita.", "BI.", "BoldIt.", "nicIt.", "DIt", "keyfont", " I.", "_Roman", "_RI"}
}
